/**
 * Full-text index of the listed jobs' texts, by overlapping runs of three characters: a phrase query for `oun` + `und`
 * finds exactly the texts with "ound" in them. Texts go in folded, and only the index is kept, not the texts.
 * `owner` holds the user as a word of three characters, so that one lookup finds one user's texts.
 * Jobs up to `indexed_through` are in it; newer ones follow soon, at the latest before the next search.
 */
export const search = `
CREATE VIRTUAL TABLE search USING fts5 (
  owner, text, content = '', contentless_delete = 1, tokenize = 'trigram case_sensitive 1'
);
-- Merging happens in small steps of our own choosing (see search-index.ts), not in the middle of a write.
INSERT INTO search (search, rank) VALUES ('automerge', 0);

CREATE TABLE search_progress (
  one             INTEGER PRIMARY KEY CHECK (one = 1),
  indexed_through INTEGER NOT NULL
) STRICT;
INSERT INTO search_progress VALUES (1, 0);
`;
