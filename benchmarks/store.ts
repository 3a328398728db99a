import Database from 'better-sqlite3';
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { Accounts } from '../src/accounts/accounts.js';
import type { JobFilter, JobPage, NewJob } from '../src/store/job.js';
import { openSqliteStore, type SqliteStore } from '../src/store/sqlite/open.js';
import { ROOT } from './paths.js';
import { describeMachine, writeReport } from './report.js';
import { median, percentile } from './statistics.js';
import { formatTable } from './table.js';

/*
 * How long the store takes to answer with very many jobs of one user in it, next to the same questions asked of the
 * same rows without an index; and how many jobs a second it accepts. The texts are English as people write it: runs of
 * words out of the Markdown files of the installed packages. Phrases that are searched for are runs of one to three
 * words out of stored texts, so common words are searched for as often as they are written.
 */
const { values: options } = parseArgs({
  options: {
    jobs: { type: 'string', default: '1000000' },
    questions: { type: 'string', default: '300' },
    plain: { type: 'string', default: '5' },
    /** A folder to keep the filled store in; the next run with it finds it filled. */
    keep: { type: 'string' },
  },
});
const JOBS = Number(options.jobs);
const QUESTIONS = Number(options.questions);
/** Questions asked without an index: each takes long. */
const PLAIN_QUESTIONS = Number(options.plain);
const USER = 'ana';
const DAY = 86_400_000;
const DAYS = 100;
const BEGIN = Date.UTC(2024, 0, 1);
const PER_PAGE = 10;

const folder = options.keep ?? mkdtempSync(join(tmpdir(), 'lantang-benchmark-'));
const file = join(folder, 'store.db');
const random = numbers(20240501);
const words = readWords();

/** Reproducible whole numbers below a bound. */
function numbers(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

function readWords(): string[] {
  const folder = join(ROOT, 'node_modules');
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) =>
    name.endsWith('.md'),
  );
  return files.sort().flatMap((name) =>
    readFileSync(join(folder, name), 'utf8')
      .replace(/```[\s\S]*?```|https?:\S+/g, ' ')
      .replace(/[^\p{L}\p{N},.'? -]+/gu, ' ')
      .split(/\s+/)
      .filter((word) => word.length > 0 && word.length < 16),
  );
}

function anyText(): string {
  const length = 8 + random(20);
  const start = random(words.length - length);
  return words.slice(start, start + length).join(' ');
}

function anyPhrase(): string {
  for (;;) {
    const text = anyText().split(' ');
    const count = 1 + random(3);
    const phrase = text.slice(0, count).join(' ');
    if (phrase.length >= 3) return phrase;
  }
}

function anyJob(): NewJob {
  const text = anyText();
  return {
    user: USER,
    request: { text, label: `label ${random(5000)}` },
    config: {
      model: 'nadia',
      wait: false,
      pitch: 0,
      tempo: 1,
      audioFormat: 'opus',
      sampleRate: 48000,
      seed: 0,
    },
    characters: text.length,
  };
}

/** Milliseconds of one call: by the clock, and of the processor, which other programs don't lengthen. */
interface Cost {
  clock: number;
  processor: number;
}

async function costs(count: number, ask: () => unknown): Promise<Cost[]> {
  const paid: Cost[] = [];
  while (paid.length < count) {
    const used = process.cpuUsage();
    const began = performance.now();
    await ask();
    const clock = performance.now() - began;
    const { user, system } = process.cpuUsage(used);
    paid.push({ clock, processor: (user + system) / 1000 });
  }
  return paid;
}

type Row = Record<
  'question' | 'median ms' | 'p95 ms' | 'max ms' | 'p95 processor ms' | 'without index ms',
  string
>;

function rowOf(question: string, indexed: Cost[], plain?: Cost[]): Row {
  const milliseconds = (value: number): string => value.toFixed(value < 1 ? 3 : 1);
  const clock = indexed.map((cost) => cost.clock);
  const processor = indexed.map((cost) => cost.processor);
  return {
    question,
    'median ms': milliseconds(median(clock)),
    'p95 ms': milliseconds(percentile(clock, 0.95)),
    'max ms': milliseconds(Math.max(...clock)),
    'p95 processor ms': milliseconds(percentile(processor, 0.95)),
    'without index ms': plain ? milliseconds(median(plain.map((cost) => cost.clock))) : '–',
  };
}

function fillFor(accounts: Accounts, store: SqliteStore, clock: { now: number }): Promise<number> {
  accounts.createUser(USER);
  return fill(store, clock);
}

/** Fills the store; jobs a second, the index left for later. */
async function fill(store: SqliteStore, clock: { now: number }): Promise<number> {
  const began = performance.now();
  const together = 128;
  for (let done = 0; done < JOBS; done += together) {
    clock.now = BEGIN + Math.floor((done / JOBS) * DAYS * DAY);
    await Promise.all(
      Array.from({ length: Math.min(together, JOBS - done) }, () => store.jobs.submit(anyJob())),
    );
    if (done % (together * 500) === 0) process.stderr.write('.');
  }
  process.stderr.write('\n');
  return JOBS / ((performance.now() - began) / 1000);
}

/** Jobs accepted a second when `together` callers submit again and again, each answered after the disk has it. */
async function submitsPerSecond(store: SqliteStore, together: number): Promise<number> {
  const rounds = Math.ceil(2000 / together);
  const began = performance.now();
  for (let round = 0; round < rounds; round += 1) {
    await Promise.all(Array.from({ length: together }, () => store.jobs.submit(anyJob())));
  }
  return (rounds * together) / ((performance.now() - began) / 1000);
}

/** The same questions of the same rows, the way SQL answers them without an index. */
class Plain {
  readonly #database: Database.Database;

  constructor(file: string) {
    this.#database = new Database(file, { readonly: true });
    this.#database.pragma('cache_size = -65536');
  }

  list(where: string, order: string, page: number, ...values: unknown[]): void {
    const from = `FROM jobs NOT INDEXED WHERE user = 1 AND archived_at IS NULL ${where}`;
    this.#database.prepare(`SELECT count(*) ${from}`).get(...values);
    const sql = `SELECT * ${from} ORDER BY ${order} LIMIT ${PER_PAGE} OFFSET ${(page - 1) * PER_PAGE}`;
    this.#database.prepare(sql).all(...values);
  }

  close(): void {
    this.#database.close();
  }
}

async function main(): Promise<void> {
  const machine = describeMachine();
  const clock = { now: BEGIN };
  const store = openSqliteStore({ file, now: () => clock.now });
  const accounts = new Accounts(store.accounts);
  const filled = store.accounts.users().length === 0 ? await fillFor(accounts, store, clock) : undefined;
  clock.now = BEGIN + DAYS * DAY;
  const { key } = accounts.createKey({ user: USER, name: 'benchmark' });
  const [indexing] = await costs(1, () => store.jobs.count(USER, { text: 'bring the index up to date' }));
  const [packing] = await costs(1, () => store.pack());
  const rows = await answers(store, accounts, key);
  const accepted: Record<string, number> = {};
  for (const together of [1, 16, 64])
    accepted[together] = Math.round(await submitsPerSecond(store, together));
  await store.close();

  const figures = {
    jobs: JOBS,
    megabytes: Math.round(statSync(file).size / 1e6),
    ...(filled !== undefined && { filledPerSecond: Math.round(filled) }),
    indexingLeftSeconds: Number(((indexing?.clock ?? 0) / 1000).toFixed(1)),
    packingLeftSeconds: Number(((packing?.clock ?? 0) / 1000).toFixed(1)),
    acceptedPerSecond: accepted,
  };
  console.log(formatTable(rows));
  console.log(`\n${JSON.stringify(figures, undefined, 2)}`);
  console.log(writeReport('store', machine, { ...figures, rows }));
}

const anyPage = (): number => 1 + random(JOBS / PER_PAGE);

function anyDays(): JobFilter {
  const first = random(DAYS);
  return { from: BEGIN + first * DAY, until: BEGIN + (first + 1 + random(DAYS - first)) * DAY };
}

function listing(
  store: SqliteStore,
  filter: JobFilter,
  page: Partial<JobPage> = {},
): Promise<{ jobs: { id: string }[] }> {
  const newest: JobPage = { sortBy: 'time', ascending: false, page: 1, perPage: PER_PAGE };
  return store.jobs.list(USER, filter, { ...newest, ...page });
}

async function answers(store: SqliteStore, accounts: Accounts, key: string): Promise<Row[]> {
  const plain = new Plain(file);
  const rows = [
    ...(await searches(store, plain)),
    ...(await pages(store, plain)),
    ...(await lookUps(store, accounts, key)),
  ];
  plain.close();
  return rows;
}

/** One row of the table: a question asked often, and perhaps of the rows without an index. */
async function row(question: string, ask: () => unknown, plainly?: () => unknown): Promise<Row> {
  const indexed = await costs(QUESTIONS, ask);
  return rowOf(
    question,
    indexed,
    plainly && PLAIN_QUESTIONS > 0 ? await costs(PLAIN_QUESTIONS, plainly) : undefined,
  );
}

async function searches(store: SqliteStore, plain: Plain): Promise<Row[]> {
  const search = "AND text LIKE '%' || ? || '%'";
  const phrase = (filter: () => JobFilter = () => ({}), page: Partial<JobPage> = {}) => {
    return () => listing(store, { text: anyPhrase(), ...filter() }, page);
  };
  const short = (length: number, page: Partial<JobPage> = {}) => {
    return () => listing(store, { text: anyRun(length) }, page);
  };
  return [
    await row('phrase, newest first, page 1', phrase(), () =>
      plain.list(search, 'created_at DESC', 1, anyPhrase()),
    ),
    await row('phrase, page 50', phrase(undefined, { page: 50 })),
    await row('phrase, among some days', phrase(anyDays)),
    await row('phrase, by label, page 1', phrase(undefined, { sortBy: 'label' })),
    await row('phrase, count', () => store.jobs.count(USER, { text: anyPhrase() })),
    await row('two letters, page 1', short(2), () => plain.list(search, 'created_at DESC', 1, anyRun(2))),
    await row('two letters, page 50', short(2, { page: 50 })),
    await row('two letters, by label, page 1', short(2, { sortBy: 'label' })),
    await row('two letters, count', () => store.jobs.count(USER, { text: anyRun(2) })),
    await row('one letter, page 1', short(1)),
    await row('one letter, by text, page 1', short(1, { sortBy: 'text' })),
    await row('one letter, count', () => store.jobs.count(USER, { text: anyRun(1) })),
    await row('two letters that few texts have', () => listing(store, { text: 'qz' })),
  ];
}

/** So many neighbouring characters out of a text, as somebody types them. */
function anyRun(length: number): string {
  const text = anyText();
  const at = random(text.length - length);
  return text.slice(at, at + length);
}

async function pages(store: SqliteStore, plain: Plain): Promise<Row[]> {
  const columns = { time: 'created_at', label: 'label', text: 'text' };
  const rows: Row[] = [];
  for (const sortBy of ['time', 'label', 'text'] as const) {
    const page = () => ({ sortBy, page: anyPage(), ascending: random(2) === 0 });
    const plainly = () => plain.list('', columns[sortBy], anyPage());
    rows.push(await row(`any page by ${sortBy}`, () => listing(store, {}, page()), plainly));
  }
  return [
    ...rows,
    await row('some days, page 1', () => listing(store, anyDays())),
    await row('some days, by text, page 3', () => listing(store, anyDays(), { sortBy: 'text', page: 3 })),
  ];
}

async function lookUps(store: SqliteStore, accounts: Accounts, key: string): Promise<Row[]> {
  const { id } = (await listing(store, {})).jobs[0]!;
  const many = QUESTIONS * 10;
  return [
    rowOf('count', await costs(many, () => store.jobs.count(USER, {}))),
    rowOf('one job', await costs(many, () => store.jobs.find(id))),
    rowOf('one key', await costs(many, () => accounts.authenticate(key))),
  ];
}

try {
  await main();
} finally {
  if (options.keep === undefined) rmSync(folder, { recursive: true, force: true });
}
