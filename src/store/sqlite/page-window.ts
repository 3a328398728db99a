import type { JobPage } from '../job.js';

/** Rows [offset, offset + limit) of the page's order, or of its opposite when `descending` says so. */
export interface Window {
  offset: number;
  limit: number;
  descending: boolean;
}

/**
 * Reads a page's rows from whichever end of the list is nearer, because skipping rows costs time, and gives them in
 * the order that was asked for.
 */
export function readPage<Row>(page: JobPage, length: number, rows: (window: Window) => Row[]): Row[] {
  const offset = (page.page - 1) * page.perPage;
  const limit = Math.min(page.perPage, length - offset);
  if (limit <= 0) return [];
  const behind = length - offset - limit;
  if (behind >= offset) return rows({ offset, limit, descending: !page.ascending });
  return rows({ offset: behind, limit, descending: page.ascending }).reverse();
}
