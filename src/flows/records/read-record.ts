import { isUrl } from '../../protocol/http/address.js'
import type { Exchange } from '../../protocol/http/exchange.js'
import type { Header } from '../../protocol/http/message.js'
import type { Check } from '../../protocol/oauth/check.js'
import { foreignRule } from '../../protocol/rules/rule.js'
import { stepToken } from '../answers/verify-tokens.js'
import { allPlannedSteps } from '../flows.js'
import type { FlowRecord, Outcome, PlannedStep, Role, Step, StepName, StepToken } from '../step.js'
import { type Reader, RecordError, reader } from './record-reader.js'

const roles: readonly Role[] = ['client', 'user_agent', 'authorization_server', 'resource_server']
const kinds = [
  'access_token',
  'id_token',
  'refresh_token',
  'assertion',
  'request_object',
  'authorization_response',
] as const

const MAX_STEPS = 100
const MAX_HEADERS = 1000
const MAX_HINTS = 10

/** The planned steps by name and rule. Records leave titles and reasons out; the rule names the grant. */
const planned: ReadonlyMap<string, PlannedStep> = new Map(
  allPlannedSteps()
    .reverse()
    .flatMap(step => [
      [step.name, step],
      [`${step.name} ${step.rfc}`, step],
    ]),
)

function plannedStep(name: string, rfc: string): PlannedStep | undefined {
  return planned.get(`${name} ${rfc}`) ?? planned.get(name)
}

function headers(value: Reader): Header[] {
  return value.list(MAX_HEADERS).map(each => {
    const [name, text, ...more] = each.list(2)
    if (name === undefined || text === undefined || more.length > 0) throw each.wrong('a name and a value')
    return [name.text(), text.text()]
  })
}

function exchange(value: Reader): Exchange {
  const request = value.member('request')
  const response = value.optional('response')
  const wire = value.member('wireBytes')
  const tls = value.optional('tls')
  return {
    request: {
      method: request.member('method').matching(/^[A-Za-z-]{1,40}$/, 'a method'),
      url: request.member('url').matching(/^[a-z][a-z0-9+.-]*:\/\//i, 'an absolute address'),
      headers: headers(request.member('headers')),
      body: request.member('body').text(),
    },
    ...(response && {
      response: {
        status: response.member('status').integer(100, 999),
        headers: headers(response.member('headers')),
        body: response.member('body').text(),
      },
    }),
    wireBytes: { request: wire.member('request').count(), response: wire.member('response').count() },
    bodyBytes: value.member('bodyBytes').count(),
    ms: value.member('ms').number(),
    at: value.member('at').date(),
    ...(tls && { tls: { protocol: tls.member('protocol').text(), cipher: tls.member('cipher').text() } }),
  }
}

function checks(value: Reader): Check[] {
  return value.list(MAX_STEPS).map(each => {
    const detail = each.optional('detail')
    return {
      name: each.member('name').text(),
      ok: each.member('ok').truth(),
      rule: foreignRule(each.member('rule').text()),
      ...(detail && { detail: detail.text() }),
      ...(each.optional('advice')?.truth() && { advice: true as const }),
    }
  })
}

/** A token is explained again: an explanation from a file is not trusted. */
function token(value: Reader): StepToken {
  const kind = value.member('kind').among(kinds)
  return stepToken(kind, value.member('value').text(), checks(value.member('checks')))
}

function titleOf(name: string, rfc: string, sent: Exchange | undefined): string {
  const words = plannedStep(name, rfc)?.title ?? name.replaceAll('_', ' ')
  if (sent === undefined || !isUrl(sent.request.url)) return words
  return `${sent.request.method} ${new URL(sent.request.url).pathname}`
}

function step(value: Reader): Step {
  const of = value.member('of').integer(1, MAX_STEPS)
  const rfc = foreignRule(value.member('rfc').text())
  const name = value.member('name').matching(/^[a-z][a-z0-9_]{0,60}$/, 'the name of a step') as StepName
  const [sent, url, checked, first, others, note] = [
    value.optional('exchange'),
    value.optional('url'),
    value.optional('checks'),
    value.optional('token'),
    value.optional('tokens'),
    value.optional('note'),
  ]
  const read = sent && exchange(sent)
  return {
    type: 'step',
    n: value.member('n').integer(1, of),
    of,
    name,
    from: value.member('from').among(roles),
    to: value.member('to').among(roles),
    title: titleOf(name, rfc, read),
    rfc,
    why: plannedStep(name, rfc)?.why ?? '',
    ...(url && { url: url.matching(/^[a-z][a-z0-9+.-]*:\/\//i, 'an absolute address') }),
    ...(read && { exchange: read }),
    ...(checked && { checks: checks(checked) }),
    ...(first && { token: token(first) }),
    ...(others && { tokens: others.list(10).map(token) }),
    ...(note && { note: note.text() }),
    ...(value.optional('repeats')?.truth() && { repeats: true as const }),
  }
}

function outcome(value: Reader): Outcome {
  const error = value.optional('error')
  const tokens = value.optional('tokens')
  const hints = error?.optional('hints')
  const expected = value.optional('expected')
  const tamper = value.optional('tamper')
  const loggedOut = value.optional('logged_out')?.truth()
  const texts = (of: Reader, ...names: string[]) =>
    Object.fromEntries(
      names.flatMap(name => {
        const found = of.optional(name)
        return found ? [[name, found.text()]] : []
      }),
    )
  const lifetime = tokens?.optional('expires_in')
  return {
    type: 'outcome',
    outcome: value.member('outcome').among(['granted', 'refused', 'failed'] as const),
    ...(error && {
      error: {
        error: error.member('error').text(),
        error_description: error.member('error_description').text(),
        ...texts(error, 'rule'),
        ...(hints && { hints: hints.list(MAX_HINTS).map(each => each.text()) }),
      },
    }),
    ...(tokens && {
      tokens: {
        access_token: tokens.member('access_token').text(),
        ...texts(tokens, 'token_type'),
        ...(lifetime && { expires_in: lifetime.number() }),
        ...texts(tokens, 'refresh_token', 'scope', 'id_token', 'mac_key', 'mac_algorithm'),
      },
    }),
    ...(loggedOut === true && { logged_out: true as const }),
    ...(expected && { expected: expected.truth() }),
    ...(tamper && {
      tamper: {
        move: tamper.member('move').text(),
        wanted: tamper.member('wanted').text(),
        ...texts(tamper, 'found', 'harmless'),
      },
    }),
  }
}

/** Reads a record of a flow from untrusted JSON; unknown members are left out. @throws RecordError */
export function readRecord(value: unknown): FlowRecord {
  const record = reader(value)
  const type = record.member('type').text()
  if (type === 'step') return step(record)
  if (type === 'outcome') return outcome(record)
  throw new RecordError('type is neither step nor outcome')
}
