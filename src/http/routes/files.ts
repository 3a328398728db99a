import { artifactOf } from '../download.js';
import { FILES_PATH } from '../file-link.js';
import type { AppParts, SigningKeys } from '../parts.js';
import { route, type Route } from '../route.js';
import { SignedFileQuery } from '../schemas/reading.js';
import { sendFile } from '../send-file.js';
import { verifyPath } from '../../artifacts/signed-url.js';

export function fileRoute(
  { artifacts, jobs }: Pick<AppParts, 'artifacts' | 'jobs'>,
  keys: SigningKeys,
  now: () => number,
): Route {
  return route({
    method: 'get',
    path: `${FILES_PATH}/{file_name}`,
    name: 'downloadFile',
    tag: 'Files',
    summary: 'The audio behind a signed URL.',
    description: 'Takes no API key: the signature is the permission. Answers single and suffix byte ranges.',
    query: SignedFileQuery,
    answers: {
      200: { description: 'The whole file.', contentTypes: ['audio/*'] },
      206: { description: 'One range of it.', contentTypes: ['audio/*'] },
      304: { description: 'Not changed.' },
    },
    errors: [
      'signed_url_invalid',
      'signed_url_expired',
      'file_not_found',
      'file_damaged',
      'range_not_satisfiable',
    ],
    answer(call, { query }) {
      const fileName = call['params']['file_name']!;
      verifyPath(`${FILES_PATH}/${encodeURIComponent(fileName)}`, query, keys, now());
      const artifact = artifactOf(fileName);
      return sendFile(call, artifacts, artifact, jobs.sizeOf(artifact));
    },
  });
}
