import { UserError } from '../../../protocol/errors.js'
import { type HeaderList, header } from '../../../protocol/http/message.js'

/**
 * Checks that an answer is a page to measure.
 * @throws UserError of kind `refused` for an error page, a redirect, or another answer that is no page
 */
export function checkPage(
  url: string,
  answer: { readonly status: number; readonly headers: HeaderList },
): void {
  const { status } = answer
  if (status >= 200 && status < 300) return
  const location = header(answer, 'location')
  if (status >= 300 && status < 400 && location !== undefined) {
    throw new UserError(`${url} redirects (HTTP ${status}), so there is no page to measure`, 'refused', [
      `Follow redirects:   --follow   (to ${location})`,
    ])
  }
  const kind = status < 400 ? 'no page' : 'an error page'
  throw new UserError(`${url} answers HTTP ${status}: ${kind} is not measured`, 'refused', [
    'Name a page that answers 200. A field of the request, such as a cookie:   -H "Name: value"',
  ])
}
