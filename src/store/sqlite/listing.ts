import type { Job, JobFilter, JobPage } from '../job.js';
import { lowestIdAt } from '../job-ids.js';
import type { Connection } from './connection.js';
import { needleFor, type Needle } from './needle.js';
import { readPage, type Window } from './page-window.js';
import { findListed } from './postings.js';
import { jobOf, JOB_COLUMNS, type JobRow } from './rows.js';
import { SeqSet } from './seq-set.js';

const DAY_MILLISECONDS = 86_400_000;
const ALL_LISTED = 'user = ? AND archived_at IS NULL';
const LISTED = `${ALL_LISTED} AND seq BETWEEN ? AND ?`;
const MATCHING = 'search MATCH ? AND search.rowid BETWEEN ? AND ?';

/** The index that holds each order, and its columns; `seq`, the order of acceptance, settles ties. */
const ORDERS = {
  time: { index: 'jobs_by_time', columns: ['jobs.seq'] },
  label: { index: 'jobs_by_label', columns: ['label', 'jobs.seq'] },
  text: { index: 'jobs_by_text', columns: ['text_key', 'jobs.seq'] },
} as const satisfies Record<JobPage['sortBy'], { index: string; columns: string[] }>;

/** Below this share of a user's jobs, sorting the few is quicker than passing the many in an index. */
const SPARSE = 1 / 20;
/** Steps along an index that take as long as looking up one job. */
const STEPS_A_LOOKUP = 4;
/** Rows that a page may be away from an end of its order to be quick: a step takes 40 to 60 ns. */
const QUICK_STEPS = 10_000;
/** Rows from which on bitmaps of all jobs are sooner read than the order of time is walked. */
const FAR_STEPS = 50_000;

/** What a filter means in rows: [first, last] by `seq`, because that is the order of time, and perhaps a phrase. */
interface Wanted {
  user: number;
  first: number;
  last: number;
  /** False when `first` and `last` leave nobody out. */
  spanned: boolean;
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

  constructor(connection: Connection) {
    this.#connection = connection;
  }

  /** True when a page is near an end of its order and its length is tallied: it takes less than a millisecond. */
  isQuick(user: number, filter: JobFilter, page: JobPage): boolean {
    if (!this.isTallied(filter)) return false;
    if (page.sortBy !== 'time' && (filter.from !== undefined || filter.until !== undefined)) return false;
    const behind = this.#tallied(user, filter) - page.page * page.perPage;
    return Math.min((page.page - 1) * page.perPage, behind) <= QUICK_STEPS;
  }

  /** True when counting takes no time: whole days of jobs, whatever their texts. */
  isTallied({ from, until, text }: JobFilter): boolean {
    return !text && isMidnight(from) && isMidnight(until);
  }

  count(user: number, filter: JobFilter): number {
    const wanted = this.#wanted(user, filter);
    if (!wanted.needle) return this.#countListed(wanted, filter);
    if (wanted.needle.kind === 'exact') return this.#countMatching(wanted, wanted.needle.match);
    return this.#found(wanted, wanted.needle).length;
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
      spanned: from !== undefined || until !== undefined,
      ...(text !== undefined && text !== '' && { needle: needleFor(this.#connection, user, text) }),
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
    if (wanted.needle.kind === 'exact') return this.#matching(wanted, wanted.needle.match, page);
    return this.#among(this.#found(wanted, wanted.needle), wanted, page);
  }

  /** All that match, where no index gives them in order. By time the set does; else see `#matching`. */
  #among(found: SeqSet, wanted: Wanted, page: JobPage): Matches {
    const { length } = found;
    const all = this.#tallied(wanted.user, {});
    const window = (window: Window): number[] => {
      if (page.sortBy === 'time') return found.window(window);
      const steps = ((window.offset + window.limit) * all) / length;
      if (steps < length * STEPS_A_LOOKUP) return this.#picked(page, window, wanted, found);
      return this.#sorted(page, window, 'SELECT value FROM json_each(?)', JSON.stringify(found.all()));
    };
    return { length, window };
  }

  #listed(wanted: Wanted, filter: JobFilter, page: JobPage): Matches {
    const length = this.#countListed(wanted, filter);
    const sparse = page.sortBy !== 'time' && length < this.#tallied(wanted.user, {}) * SPARSE;
    const candidates = `SELECT seq FROM jobs INDEXED BY jobs_by_time WHERE ${LISTED}`;
    const window = (window: Window): number[] => {
      if (sparse) return this.#sorted(page, window, candidates, wanted.user, wanted.first, wanted.last);
      if (page.sortBy !== 'time' || window.offset <= FAR_STEPS) return this.#walked(page, window, wanted);
      return findListed(this.#connection, wanted).window(window);
    };
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

  /** Every match of a needle that the full-text index can't answer alone. */
  #found({ user, first, last }: Wanted, needle: Needle): SeqSet {
    const { folded } = needle;
    if (needle.kind === 'short') return findListed(this.#connection, { user, first, last }, folded);
    const sql = `SELECT search.rowid AS seq FROM search CROSS JOIN jobs ON jobs.seq = search.rowid
      WHERE ${MATCHING} AND contains(jobs.text, ?)`;
    const found = new SeqSet();
    for (const seq of this.#seqs(sql, needle.match, first, last, folded)) found.add(seq);
    return found;
  }

  /** Steps along the index of the page's order; a test less for every step where the span leaves nobody out. */
  #walked(page: JobPage, window: Window, { user, first, last, spanned, needle }: Wanted): number[] {
    const sql = `SELECT seq FROM jobs INDEXED BY ${ORDERS[page.sortBy].index}
      WHERE ${spanned ? LISTED : ALL_LISTED} ${needle ? 'AND contains(text, ?)' : ''}
      ORDER BY ${order(page, window)} LIMIT ? OFFSET ?`;
    const span = spanned ? [first, last] : [];
    const phrase = needle ? [needle.folded] : [];
    return this.#seqs(sql, user, ...span, ...phrase, window.limit, window.offset);
  }

  /** Steps along the index of the page's order and picks the members of a set. */
  #picked(page: JobPage, window: Window, { user, first, last }: Wanted, wanted: SeqSet): number[] {
    const sql = `SELECT seq FROM jobs INDEXED BY ${ORDERS[page.sortBy].index} WHERE ${LISTED}
      ORDER BY ${order(page, window)}`;
    const picked: number[] = [];
    let skip = window.offset;
    for (const { seq } of this.#connection.iterate<{ seq: number }>(sql, user, first, last)) {
      if (wanted.has(seq) && --skip < 0) picked.push(seq);
      if (picked.length === window.limit) break;
    }
    return picked;
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
