/**
 * Posting lists for phrases of one and two characters, which the full-text index cannot find: which jobs' texts hold a
 * character or a pair of them, and which jobs a user has listed (see postings.ts). A row is one term's list in one
 * block of 4,096 jobs; blocks 0 to `blocks` − 1 are packed, newer jobs are read one by one.
 */
export const postings = `
CREATE TABLE postings (
  id   INTEGER PRIMARY KEY,                -- block × 2^43 + term
  jobs BLOB NOT NULL                       -- see seq-set.ts
) STRICT;

CREATE TABLE postings_progress (
  one    INTEGER PRIMARY KEY CHECK (one = 1),
  blocks INTEGER NOT NULL
) STRICT;
INSERT INTO postings_progress SELECT 1, coalesce(min(seq), 0) / 4096 FROM jobs;
`;
