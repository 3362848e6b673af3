import type { Step, StepToken } from '../../../flows/step.js'
import { FormError, parseForm } from '../../../protocol/http/form.js'
import { header, splitUrl } from '../../../protocol/http/message.js'
import { maskExchange, maskUrl } from '../../../protocol/safe-output/mask.js'
import { makeSafe } from '../../../protocol/safe-output/safe.js'
import { checkDetail, member } from './spoken-item.js'

function formMembers(form: string): string[] {
  try {
    return parseForm(form).map(([name, value]) => member(name, value))
  } catch (error) {
    if (error instanceof FormError) return []
    throw error
  }
}

function jsonMembers(body: string): string[] {
  let value: unknown
  try {
    value = JSON.parse(body)
  } catch {
    return []
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return []
  return Object.entries(value).map(([name, each]) =>
    member(name, typeof each === 'object' && each !== null ? 'an object or a list' : String(each)),
  )
}

/** The members behind the `?` or `#` of an address. */
function addressMembers(url: string): string[] {
  return formMembers(/[?#](.*)$/s.exec(url)?.[1] ?? '')
}

function messagesOf({ exchange, url }: Step): string[] {
  if (exchange === undefined) {
    if (url === undefined) return []
    const masked = maskUrl(url, 'all')
    const { origin, path } = splitUrl(masked)
    return [makeSafe(`Address ${origin}${path}.`), ...addressMembers(masked)]
  }
  const { request, response } = maskExchange(exchange, 'all')
  const asked = [
    makeSafe(`Request ${request.method} ${splitUrl(request.url).path}.`),
    ...addressMembers(request.url),
    // Only members of a body with its type had their secrets masked.
    ...(/x-www-form-urlencoded/i.test(header(request, 'content-type') ?? '')
      ? formMembers(request.body)
      : []),
  ]
  if (response === undefined) return [...asked, 'No answer.']
  const location = header(response, 'location')
  return [
    ...asked,
    `Answer ${response.status}.`,
    ...(location === undefined ? [] : addressMembers(location)),
    ...(/[/+]json\b/i.test(header(response, 'content-type') ?? '') ? jsonMembers(response.body) : []),
  ]
}

function tokenNames({ token, tokens = [] }: Step): readonly StepToken[] {
  return token ? [token, ...tokens] : tokens
}

/** The members of the messages of a step, and each of its checks with its rule, a sentence a line. */
export function details(step: Step): string[] {
  const checks = [
    ...(step.checks ?? []).map(each => ({ ...each, of: '' })),
    ...tokenNames(step).flatMap(({ kind, checks: own }) =>
      own.map(each => ({ ...each, of: ` of the ${kind.replaceAll('_', ' ')}` })),
    ),
  ]
  return [...messagesOf(step), ...checks.map(({ of, ...each }) => checkDetail(each, of))]
}
