import type { PageInfo } from '../shapes.js'
import { refusal } from './refusal.js'

/** One page of a list. */
export interface Page<T> {
  readonly results: readonly T[]
  readonly info: PageInfo
}

function positive(text: string | null, usual: number, name: string): number {
  if (text === null || text === '') return usual
  if (/^\d{1,15}$/.test(text) && Number(text) > 0) return Number(text)
  throw refusal(400, 1003, `${name} must be a positive integer.`)
}

/**
 * Returns the page that the query requests. A page past the end is empty, because clients read until an empty page.
 * @throws Refusal for an invalid number; a number that is too large becomes the largest allowed
 */
export function pageOf<T>(
  all: readonly T[],
  query: URLSearchParams,
  { usual, max }: { readonly usual: number; readonly max: number },
): Page<T> {
  const page = positive(query.get('page'), 1, 'page')
  const perPage = Math.min(positive(query.get('per_page'), usual, 'per_page'), max)
  const results = all.slice((page - 1) * perPage, page * perPage)
  return {
    results,
    info: {
      page,
      per_page: perPage,
      count: results.length,
      total_count: all.length,
      total_pages: Math.ceil(all.length / perPage),
    },
  }
}
