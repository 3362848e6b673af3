import { unreadable } from '../../../client/json-answer.js'
import type { Answer } from './answers.js'
import type { Query } from './requests.js'
import type { Service } from './service.js'

/** The most pages of one list. The limit stops at a service whose list never ends. */
const MAX_PAGES = 2000

function ended({ result, info }: Answer<readonly unknown[]>, page: number, perPage: number): boolean {
  if (result.length === 0) return true
  const { total_pages: pages, total_count: count, per_page: size = perPage } = info
  if (typeof pages === 'number') return page >= pages
  if (typeof count === 'number' && size > 0) return page >= Math.ceil(count / size)
  return result.length < size
}

/**
 * Returns all results of a list, page by page.
 * @param perPage a size that the service allows for this list
 * @throws what `request` throws; TransportError for a result that is no list, and for a list that never ends
 */
export async function allPages<T>(
  service: Service,
  path: string,
  query: Query,
  perPage: number,
): Promise<readonly T[]> {
  const all: T[] = []
  let before: string | undefined
  for (let page = 1; page <= MAX_PAGES; page++) {
    const answer = await service.request<readonly T[]>({
      method: 'GET',
      path,
      query: { ...query, page, per_page: perPage },
    })
    if (!Array.isArray(answer.result)) throw unreadable(`${service.access.base}${path} answered with no list`)
    const now = JSON.stringify(answer.result)
    if (answer.result.length > 0 && now === before) break
    all.push(...answer.result)
    if (ended(answer, page, perPage)) return all
    before = now
  }
  throw unreadable(`${service.access.base}${path} has no last page`)
}
