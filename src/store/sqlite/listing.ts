import type { Job, JobFilter, JobPage } from '../job.js';
import { lowestIdAt } from '../job-ids.js';
import type { Connection } from './connection.js';
import { readPage, type Window } from './page-window.js';
import { jobOf, JOB_COLUMNS, type JobRow } from './rows.js';
import type { Needle, SearchIndex } from './search-index.js';

const DAY_MILLISECONDS = 86_400_000;
const LISTED = 'user = ? AND archived_at IS NULL AND seq BETWEEN ? AND ?';
const MATCHING = 'search MATCH ? AND search.rowid BETWEEN ? AND ?';

/** The index that holds each order, and its columns; `seq`, the order of acceptance, settles ties. */
const ORDERS = {
  time: { index: 'jobs_by_time', columns: ['jobs.seq'] },
  label: { index: 'jobs_by_label', columns: ['label', 'jobs.seq'] },
  text: { index: 'jobs_by_text', columns: ['text_key', 'jobs.seq'] },
} as const satisfies Record<JobPage['sortBy'], { index: string; columns: string[] }>;

/** Below this share of a user's jobs, sorting the few is quicker than passing the many in an index. */
const SPARSE = 1 / 20;

/** What a filter means in rows: [first, last] by `seq`, because that is the order of time, and perhaps a phrase. */
interface Wanted {
  user: number;
  first: number;
  last: number;
  needle?: Needle;
}

/** The rows that match, as `seq`s: how many, and any window of them. */
interface Matches {
  length: number;
  window: (window: Window) => number[];
}

/** Pages and counts of a user's jobs, out of indexes. Users are named by their row's id here. */
export class Listing {
  readonly #connection: Connection;
  readonly #search: SearchIndex;

  constructor(connection: Connection, search: SearchIndex) {
    this.#connection = connection;
    this.#search = search;
  }

  count(user: number, filter: JobFilter): number {
    const wanted = this.#wanted(user, filter);
    if (!wanted.needle) return this.#countListed(wanted, filter);
    const { match, exact } = wanted.needle;
    return exact ? this.#countMatching(wanted, match) : this.#compared(wanted, wanted.needle).length;
  }

  page(user: number, filter: JobFilter, page: JobPage): { jobs: Job[]; length: number } {
    const wanted = this.#wanted(user, filter);
    const { length, window } = this.#matches(wanted, filter, page);
    return { jobs: this.#jobs(readPage(page, length, window)), length };
  }

  #wanted(user: number, { from, until, text }: JobFilter): Wanted {
    return {
      user,
      first: from === undefined ? 0 : this.#firstSince(from),
      last: until === undefined ? Number.MAX_SAFE_INTEGER : this.#firstSince(until) - 1,
      ...(text !== undefined && text !== '' && { needle: this.#search.needle(user, text) }),
    };
  }

  /** The first job that was created at `milliseconds` or after. */
  #firstSince(milliseconds: number): number {
    const sql = 'SELECT seq FROM jobs WHERE id >= ? ORDER BY id LIMIT 1';
    const row = this.#connection.get<{ seq: number }>(sql, lowestIdAt(milliseconds));
    return row?.seq ?? Number.MAX_SAFE_INTEGER;
  }

  #matches(wanted: Wanted, filter: JobFilter, page: JobPage): Matches {
    if (!wanted.needle) return this.#listed(wanted, filter, page);
    if (wanted.needle.exact) return this.#matching(wanted, wanted.needle.match, page);
    const seqs = JSON.stringify(this.#compared(wanted, wanted.needle));
    const candidates = 'SELECT value FROM json_each(?)';
    return {
      length: (JSON.parse(seqs) as number[]).length,
      window: (window) => this.#sorted(page, window, candidates, seqs),
    };
  }

  #listed(wanted: Wanted, filter: JobFilter, page: JobPage): Matches {
    const length = this.#countListed(wanted, filter);
    const sparse = page.sortBy !== 'time' && length < this.#tallied(wanted.user, {}) * SPARSE;
    const candidates = `SELECT seq FROM jobs INDEXED BY jobs_by_time WHERE ${LISTED}`;
    const window = (window: Window): number[] =>
      sparse
        ? this.#sorted(page, window, candidates, wanted.user, wanted.first, wanted.last)
        : this.#walked(page, window, wanted);
    return { length, window };
  }

  /** By time, the index gives matches in order. Else a few are sorted, and of many the order is walked. */
  #matching(wanted: Wanted, match: string, page: JobPage): Matches {
    const length = this.#countMatching(wanted, match);
    const all = this.#tallied(wanted.user, {});
    const candidates = `SELECT rowid FROM search WHERE ${MATCHING}`;
    const window = (window: Window): number[] => {
      if (page.sortBy === 'time') return this.#matchingByTime(wanted, match, window);
      const steps = ((window.offset + window.limit) * all) / length;
      if (steps < length) return this.#walked(page, window, wanted);
      return this.#sorted(page, window, candidates, match, wanted.first, wanted.last);
    };
    return { length, window };
  }

  /** Whole days are tallied; other borders are counted along the index. */
  #countListed({ user, first, last }: Wanted, filter: JobFilter): number {
    if (isMidnight(filter.from) && isMidnight(filter.until)) return this.#tallied(user, filter);
    const sql = `SELECT count(*) AS jobs FROM jobs INDEXED BY jobs_by_time WHERE ${LISTED}`;
    return this.#connection.get<{ jobs: number }>(sql, user, first, last)!.jobs;
  }

  #tallied(user: number, { from, until }: JobFilter): number {
    return this.#connection.get<{ jobs: number }>(
      'SELECT coalesce(sum(jobs), 0) AS jobs FROM tallies WHERE user = ? AND day >= ? AND day < ?',
      user,
      (from ?? -Infinity) / DAY_MILLISECONDS,
      (until ?? Infinity) / DAY_MILLISECONDS,
    )!.jobs;
  }

  #countMatching({ first, last }: Wanted, match: string): number {
    const sql = `SELECT count(*) AS jobs FROM search WHERE ${MATCHING}`;
    return this.#connection.get<{ jobs: number }>(sql, match, first, last)!.jobs;
  }

  #matchingByTime({ first, last }: Wanted, match: string, { offset, limit, descending }: Window): number[] {
    const sql = `SELECT rowid AS seq FROM search WHERE ${MATCHING}
      ORDER BY rowid ${descending ? 'DESC' : 'ASC'} LIMIT ? OFFSET ?`;
    return this.#seqs(sql, match, first, last, limit, offset);
  }

  /** Every match by reading the candidates' texts: for phrases that the index can't answer alone. */
  #compared({ user, first, last }: Wanted, { match, folded }: Needle): number[] {
    if (match === '') {
      const sql = `SELECT seq FROM jobs INDEXED BY jobs_by_time WHERE ${LISTED} AND contains(text, ?)`;
      return this.#seqs(sql, user, first, last, folded);
    }
    const sql = `SELECT search.rowid AS seq FROM search CROSS JOIN jobs ON jobs.seq = search.rowid
      WHERE ${MATCHING} AND contains(jobs.text, ?)`;
    return this.#seqs(sql, match, first, last, folded);
  }

  /** Steps along the index of the page's order. */
  #walked(page: JobPage, window: Window, { user, first, last, needle }: Wanted): number[] {
    const sql = `SELECT seq FROM jobs INDEXED BY ${ORDERS[page.sortBy].index} WHERE ${LISTED}
      ${needle ? 'AND contains(text, ?)' : ''} ORDER BY ${order(page, window)} LIMIT ? OFFSET ?`;
    const phrase = needle ? [needle.folded] : [];
    return this.#seqs(sql, user, first, last, ...phrase, window.limit, window.offset);
  }

  /** Looks up all candidates, which a query gives, and sorts them. */
  #sorted(page: JobPage, window: Window, candidates: string, ...values: unknown[]): number[] {
    const sql = `WITH candidates (seq) AS (${candidates})
      SELECT jobs.seq FROM candidates CROSS JOIN jobs ON jobs.seq = candidates.seq
      ORDER BY ${order(page, window)} LIMIT ? OFFSET ?`;
    return this.#seqs(sql, ...values, window.limit, window.offset);
  }

  #seqs(sql: string, ...values: unknown[]): number[] {
    return this.#connection.all<{ seq: number }>(sql, ...values).map(({ seq }) => seq);
  }

  /** The jobs of a page, in the order of `seqs`. */
  #jobs(seqs: number[]): Job[] {
    const sql = `SELECT ${JOB_COLUMNS} FROM jobs JOIN users ON users.id = jobs.user WHERE seq = ?`;
    return seqs.flatMap((seq) => {
      const row = this.#connection.get<JobRow>(sql, seq);
      return row ? [jobOf(row)] : [];
    });
  }
}

function order({ sortBy }: JobPage, { descending }: Window): string {
  return ORDERS[sortBy].columns.map((column) => `${column} ${descending ? 'DESC' : 'ASC'}`).join(', ');
}

function isMidnight(milliseconds: number | undefined): boolean {
  return milliseconds === undefined || milliseconds % DAY_MILLISECONDS === 0;
}
