import { isSettled, type Job, type JobChange, type JobFilter, type JobPage } from '../job.js';
import type { NewJob, StoredJob } from '../job.js';
import { JobIds } from '../job-ids.js';
import type { ClaimDecision, Decision, JobStore, Purgeable, Tally } from '../job-store.js';
import type { Connection } from './connection.js';
import { GroupCommit } from './group-commit.js';
import { Idempotency } from './idempotency.js';
import { JobTable } from './job-table.js';
import { Listing } from './listing.js';
import { needsFullText } from './needle.js';
import { PostingIndex } from './posting-index.js';
import { Quotas } from './quotas.js';
import { Reader } from './reader.js';
import { jobOf, type JobRow } from './rows.js';
import { SearchIndex } from './search-index.js';
import { unknownUser } from './sqlite-account-store.js';

/**
 * Jobs in SQLite: see JobStore. What is quickly read is read at once, the rest in other
 * threads; writes of one turn of the event loop share a transaction.
 */
export class SqliteJobStore implements JobStore {
  readonly #connection: Connection;
  readonly #now: () => number;
  readonly #commits: GroupCommit;
  readonly #table: JobTable;
  readonly #quotas: Quotas;
  readonly #idempotency: Idempotency;
  readonly #search: SearchIndex;
  readonly #postings: PostingIndex;
  readonly #listing: Listing;
  readonly #reader: Reader;

  constructor(connection: Connection, now: () => number) {
    this.#connection = connection;
    this.#now = now;
    this.#commits = new GroupCommit(connection);
    this.#table = new JobTable(connection, new JobIds(now, JobTable.newestId(connection)));
    this.#quotas = new Quotas(connection);
    this.#idempotency = new Idempotency(connection);
    this.#search = new SearchIndex(connection);
    this.#listing = new Listing(connection);
    this.#reader = new Reader(connection.file);
    this.#postings = new PostingIndex(connection, (block) => this.#reader.pack(block));
  }

  submit(job: NewJob): Promise<{ job: StoredJob; replayed: boolean }> {
    return this.#commits.write(() => {
      const user = this.#user(job.user);
      const earlier = this.#idempotency.earlier(user, job, this.#now());
      if (earlier !== undefined) return { job: jobOf(this.#table.at(earlier)!), replayed: true };
      this.#quotas.reserve(user, job.characters);
      const { seq, job: accepted } = this.#table.insert(user, job);
      this.#idempotency.remember(user, job, seq, this.#now());
      this.#search.wake();
      this.#postings.wake();
      return { job: accepted, replayed: false };
    });
  }

  change(id: string, decide: Decision): Promise<StoredJob | undefined> {
    return this.#commits.write(() => {
      const row = this.#table.withId(id);
      return row && this.#apply(row, decide);
    });
  }

  claim(whose: { id: string } | { user: string }, decide: ClaimDecision): Promise<StoredJob | undefined> {
    const find = (): JobRow | undefined =>
      'id' in whose ? this.#table.readyWithId(whose.id) : this.#table.oldestReady(whose.user);
    return this.#commits.write(() => {
      const row = find();
      return row && this.#apply(row, (job) => decide(job, this.#quotas.of(row.user)));
    }, false);
  }

  postpone(whose: { user: string } | { model: string }, until: number): Promise<number> {
    return this.#commits.write(
      () =>
        'user' in whose
          ? this.#table.postpone('user', this.#user(whose.user), until, this.#now())
          : this.#table.postpone('model', whose.model, until, this.#now()),
      false,
    );
  }

  wake(now: number, horizon: number): Promise<number> {
    return this.#commits.write(() => this.#table.wake(now, horizon), false);
  }

  nextDue(): number | undefined {
    return this.#table.nextDue();
  }

  readyUsers(): string[] {
    return this.#table.readyUsers();
  }

  inProgress(): StoredJob[] {
    return this.#table.inProgress();
  }

  oldestReadyAt(): number | undefined {
    return this.#table.oldestReadyAt();
  }

  tally(): Tally {
    return this.#table.tally();
  }

  find(id: string): StoredJob | undefined {
    const row = this.#table.withId(id);
    return row && jobOf(row);
  }

  async list(user: string, filter: JobFilter, page: JobPage): Promise<{ jobs: Job[]; length: number }> {
    const id = this.#user(user);
    if (this.#listing.isQuick(id, filter, page)) return this.#listing.page(id, filter, page);
    await this.#catchUp(filter);
    return this.#reader.page(id, filter, page);
  }

  async count(user: string, filter: JobFilter): Promise<number> {
    const id = this.#user(user);
    if (this.#listing.isTallied(filter)) return this.#listing.count(id, filter);
    await this.#catchUp(filter);
    return this.#reader.count(id, filter);
  }

  purgeable(which: Purgeable): { id: string; artifact?: string }[] {
    return this.#table.purgeable(which).map((row) => {
      const { id, result } = jobOf(row);
      return { id, ...(result && { artifact: result.artifact }) };
    });
  }

  remove(ids: string[]): Promise<void> {
    return this.#commits.write(() => {
      this.#idempotency.forgetExpired(this.#now());
      for (const id of ids) this.#remove(this.#table.withId(id));
      this.#postings.forgetRemoved();
    });
  }

  probe(): Promise<void> {
    return this.#commits.write(() => {
      this.#connection.run('DELETE FROM probe');
      this.#connection.run('INSERT INTO probe (written_at) VALUES (?)', this.#now());
    });
  }

  /** Packs what is full: see PostingIndex. It happens by itself, too, some time after a submit. */
  pack(): Promise<void> {
    return this.#postings.packAll();
  }

  /** Writes what waits to be written, at once; resolves when nobody reads any more. */
  close(): Promise<void> {
    this.#search.close();
    this.#postings.close();
    this.#commits.flush();
    return this.#reader.close();
  }

  async #catchUp({ text }: JobFilter): Promise<void> {
    if (text !== undefined && needsFullText(text)) await this.#search.catchUp();
  }

  #apply(row: JobRow, decide: Decision): StoredJob | undefined {
    const job = jobOf(row);
    const change = decide(job);
    if (!change || !this.#table.update(row, job, change, this.#now())) return undefined;
    this.#follow(row, change);
    return jobOf(this.#table.at(row.seq)!);
  }

  /** What else a change means: the quota when a job settles, the lists when it is archived. */
  #follow(row: JobRow, { status, archivedAt }: JobChange): void {
    if (isSettled(status) && !isSettled(row.status)) this.#quotas.settle(row.user, row.characters, status);
    if (archivedAt === undefined) return;
    this.#table.archive(row.seq, archivedAt);
    this.#forget(row);
  }

  #forget({ seq, user }: JobRow): void {
    this.#search.forget(seq);
    this.#postings.forget(user, seq);
  }

  #remove(row: JobRow | undefined): void {
    if (!row || !isSettled(row.status)) return;
    if (row.archived_at === null) this.#forget(row);
    this.#table.remove(row.seq);
  }

  #user(name: string): number {
    const row = this.#connection.get<{ id: number }>('SELECT id FROM users WHERE name = ?', name);
    if (row) return row.id;
    throw unknownUser(name);
  }
}
