/**
 * Jobs. `seq` counts acceptances and never turns back or is used twice, so it is the order of time, and every index
 * carries it for nothing. Three partial indexes hold the listed jobs in the three orders of lists, two the jobs that
 * wait; the planner can answer pages and claims from them alone.
 * `tallies` counts the listed jobs of each user by the day of their creation (UTC days since the epoch).
 */
export const jobs = `
CREATE TABLE jobs (
  seq         INTEGER PRIMARY KEY AUTOINCREMENT,
  id          BLOB NOT NULL UNIQUE,        -- UUIDv7
  user        INTEGER NOT NULL REFERENCES users,
  status      TEXT NOT NULL,
  created_at  INTEGER NOT NULL,            -- the milliseconds in the id
  modified_at INTEGER NOT NULL,
  archived_at INTEGER,
  not_before  INTEGER,                     -- NULL: due
  attempt     INTEGER NOT NULL DEFAULT 0,
  faults      INTEGER NOT NULL DEFAULT 0,
  crashes     INTEGER NOT NULL DEFAULT 0,
  characters  INTEGER NOT NULL,
  text        TEXT NOT NULL,               -- text or SSML, as submitted
  ssml        INTEGER NOT NULL,
  label       TEXT,
  as_data     INTEGER,
  model       TEXT NOT NULL,
  config      TEXT NOT NULL,               -- JSON, like the two below
  result      TEXT,
  fault       TEXT,
  text_key    TEXT GENERATED ALWAYS AS (substr(text, 1, 64)) VIRTUAL
) STRICT;

CREATE INDEX jobs_by_time  ON jobs (user)           WHERE archived_at IS NULL;
CREATE INDEX jobs_by_label ON jobs (user, label)    WHERE archived_at IS NULL;
CREATE INDEX jobs_by_text  ON jobs (user, text_key) WHERE archived_at IS NULL;
CREATE INDEX jobs_ready    ON jobs (user) WHERE status IN ('created', 'queued') AND not_before IS NULL;
CREATE INDEX jobs_postponed   ON jobs (not_before)  WHERE not_before IS NOT NULL;
CREATE INDEX jobs_in_progress ON jobs (status)      WHERE status = 'in_progress';
CREATE INDEX jobs_archived    ON jobs (archived_at) WHERE archived_at IS NOT NULL;

-- Where the words of a complete job lie in its audio; apart, because lists need none of it.
CREATE TABLE timings (
  job    INTEGER PRIMARY KEY REFERENCES jobs ON DELETE CASCADE,
  timing TEXT NOT NULL                     -- JSON: sentences, words, marks
) STRICT;

CREATE TABLE idempotency (
  user       INTEGER NOT NULL REFERENCES users,
  key        TEXT NOT NULL,
  digest     BLOB NOT NULL,                -- SHA-256 of what was asked
  job        INTEGER NOT NULL REFERENCES jobs ON DELETE CASCADE,
  expires_at INTEGER NOT NULL,
  PRIMARY KEY (user, key)
) STRICT, WITHOUT ROWID;
CREATE INDEX idempotency_by_job     ON idempotency (job);
CREATE INDEX idempotency_by_expiry  ON idempotency (expires_at);

CREATE TABLE tallies (
  user INTEGER NOT NULL,
  day  INTEGER NOT NULL,
  jobs INTEGER NOT NULL,
  PRIMARY KEY (user, day)
) STRICT, WITHOUT ROWID;

CREATE TRIGGER tally_accepted AFTER INSERT ON jobs BEGIN
  INSERT INTO tallies VALUES (new.user, new.created_at / 86400000, 1)
    ON CONFLICT DO UPDATE SET jobs = jobs + 1;
END;
CREATE TRIGGER tally_archived AFTER UPDATE OF archived_at ON jobs
  WHEN old.archived_at IS NULL AND new.archived_at IS NOT NULL BEGIN
  UPDATE tallies SET jobs = jobs - 1 WHERE user = old.user AND day = old.created_at / 86400000;
END;
CREATE TRIGGER tally_removed AFTER DELETE ON jobs WHEN old.archived_at IS NULL BEGIN
  UPDATE tallies SET jobs = jobs - 1 WHERE user = old.user AND day = old.created_at / 86400000;
END;

CREATE TABLE probe (written_at INTEGER NOT NULL) STRICT;
`;
