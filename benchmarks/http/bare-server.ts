import Database from 'better-sqlite3';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { randomUUID } from 'node:crypto';
import Koa from 'koa';
import { koaBody } from 'koa-body';
import { serveMeasured } from './measured-server.js';

/*
 * The limit: what Koa and better-sqlite3 do with nothing in between. One insert and its commit a request, no keys,
 * no checks, no users, no search. `argv`: folder of the data, jobs to begin with, `durable` or `lazy`.
 */
const [directory = '.', stored = '0', durability = 'durable'] = process.argv.slice(2);

const database = new Database(join(directory, `bare-${durability}.db`));
database.pragma('journal_mode = WAL');
database.pragma(`synchronous = ${durability === 'durable' ? 'FULL' : 'NORMAL'}`);
database.exec(
  'CREATE TABLE jobs (id TEXT PRIMARY KEY, created_at INTEGER, status TEXT, request TEXT, config TEXT)',
);

const insert = database.prepare('INSERT INTO jobs VALUES (?, ?, ?, ?, ?)');
const select = database.prepare('SELECT id, status, created_at FROM jobs WHERE id = ?');
const page = database.prepare('SELECT * FROM jobs ORDER BY rowid DESC LIMIT ? OFFSET ?');
const count = database.prepare('SELECT count(*) AS length FROM jobs');

const ids = fill(Number(stored));
const app = new Koa();
app.use(koaBody());
app.use((ctx) => {
  if (ctx.method === 'POST') ctx.body = submit(ctx.request.body as unknown as Submitted);
  else if (ctx.path.endsWith('/status')) ctx.body = select.get(ctx.path.split('/').at(-2));
  else ctx.body = list(Number(ctx.query['page'] ?? 1));
});
const answer = app.callback();
await serveMeasured(
  createServer((request, response) => void answer(request, response)),
  ids,
);

interface Submitted {
  request: object;
  config: object;
}

function submit({ request, config }: Submitted): object {
  const job = {
    job_id: randomUUID(),
    created_at: Date.now(),
    status: 'created',
    request,
    job_config: config,
  };
  insert.run(job.job_id, job.created_at, job.status, JSON.stringify(request), JSON.stringify(config));
  return job;
}

function list(at: number): object {
  const { length } = count.get() as { length: number };
  const rows = page.all(10, (at - 1) * 10) as { request: string; config: string }[];
  const data = rows.map((row) => ({ ...row, request: parsed(row.request), config: parsed(row.config) }));
  return { pagination: { page: at, per_page: 10, page_count: Math.ceil(length / 10) }, length, data };
}

function parsed(json: string): unknown {
  return JSON.parse(json);
}

function fill(jobs: number): string[] {
  const made: string[] = [];
  database.transaction(() => {
    for (let index = 0; index < jobs; index++) {
      const { job_id } = submit({
        request: { text: `Stored job number ${index}.` },
        config: { wait: false },
      }) as { job_id: string };
      if (index % 100 === 0) made.push(job_id);
    }
  })();
  return made;
}
