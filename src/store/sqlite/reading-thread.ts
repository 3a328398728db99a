import { workerData } from 'piscina';
import { isLantangError } from '../../errors.js';
import { Connection } from './connection.js';
import { storeError } from './faults.js';
import { Listing } from './listing.js';
import { packBlock } from './postings.js';
import type { ErrorParts, Question, Reply } from './reader.js';

/* One reading thread: see reader.ts. */

const { file } = workerData as { file: string };
let connection: Connection | undefined;

export default function answer(question: Question): Reply {
  try {
    connection ??= new Connection({ file, readOnly: true });
    return { value: valueOf(question, connection) };
  } catch (error) {
    return { error: partsOf(error) };
  }
}

function valueOf(question: Question, connection: Connection): unknown {
  const listing = new Listing(connection);
  switch (question.kind) {
    case 'page':
      return connection.snapshot(() => listing.page(question.user, question.filter, question.page));
    case 'count':
      return connection.snapshot(() => listing.count(question.user, question.filter));
    case 'pack':
      return packBlock(connection, question.block);
  }
}

function partsOf(error: unknown): ErrorParts {
  // Of a database that cannot even be opened the caller hears what it would hear had it been open.
  const shown = storeError(error);
  if (!isLantangError(shown)) throw shown;
  const { code, message, context, retryable, retryAfterSeconds } = shown;
  return {
    code,
    message,
    retryable,
    ...(context !== undefined && { context }),
    ...(retryAfterSeconds !== undefined && { retryAfterSeconds }),
  };
}
