import type { Outcome } from '../../../flows/step.js'
import { makeSafe } from '../../../protocol/safe-output/safe.js'
import type { Signs } from '../text/signs.js'
import { foreign, type Line, line, span } from '../text/spans.js'
import { hanging, pad, width, wrap } from '../text/text.js'

/** A wrong move as the list of moves shows it. */
export interface ShownMove {
  readonly name: string
  readonly does: string
  /** The refusal that the move expects. */
  readonly expects: string
  readonly rule: string
  /** The damage where the move is not refused. */
  readonly risk: string
  /** The flows in which the move can be made. */
  readonly flows: string
}

/** Wrong moves as text: four parts each, and an empty line after them. @param view.columns of the terminal; undefined without one */
export function moveLines(
  moves: readonly ShownMove[],
  { ascii, columns }: { readonly ascii: boolean; readonly columns?: number | undefined },
): string[] {
  const indent = Math.max(...moves.map(({ name }) => name.length)) + 2
  const part = (before: string, text: string): string[] =>
    hanging(before.padEnd(indent), makeSafe(text, { ascii }), { columns, width })
  return moves.flatMap(({ name, does, expects, rule, risk, flows }) => [
    ...part(name, does),
    ...part('', `expects ${expects}  (${rule})`),
    ...part('', `else ${risk}`),
    ...part('', `in   ${flows}`),
    '',
  ])
}

function row(name: string, text: string, columns: number, signs: Signs): Line[] {
  return wrap(foreign(text, signs), columns - 12).map((part, i) => [
    span(`  ${pad(i === 0 ? name : '', 10)}`, 'name'),
    span(part),
  ])
}

/** How a wrong move ended: whether it was refused as it should be, and by which rule. */
function endingLines(
  { good, text, said }: TamperEnding,
  outcome: Outcome,
  columns: number,
  signs: Signs,
): Line[] {
  const { error } = outcome
  const tone = good ? 'done' : 'refused'
  const [first = '', ...more] = wrap(foreign(text, signs), columns - 2)
  return [
    [span(`${good ? signs.done : signs.refused} `, tone), span(first, 'strong')],
    ...more.map(part => [span(`  ${part}`, 'strong')]),
    line(''),
    ...(said === undefined ? [] : row('Server', said, columns, signs)),
    ...(good || error === undefined ? [] : row('Error', error.error_description, columns, signs)),
    ...(error?.rule === undefined ? [] : row('Rule', error.rule, columns, signs)),
    ...row('Next', 'r runs the flow again', columns, signs),
  ]
}

/** How a flow ended: for a refusal what happened, which rule says so, and what to do next. */
export function outcomeLines(outcome: Outcome, columns: number, signs: Signs): Line[] {
  const { error, tokens } = outcome
  const ending = tamperEnding(outcome)
  if (ending) return endingLines(ending, outcome, columns, signs)
  if (outcome.logged_out) {
    return [
      [
        span(`${signs.done} `, 'done'),
        span('logged out: the session has ended, the tokens have not', 'strong'),
      ],
    ]
  }
  if (outcome.outcome === 'granted') {
    const lifetime = tokens?.expires_in === undefined ? '' : `, ${tokens.expires_in} s`
    const scope = tokens?.scope === undefined ? '' : `, scope ${tokens.scope}`
    const text = `granted: ${tokens?.token_type ?? 'a token'}${lifetime}${scope}`
    return [[span(`${signs.done} `, 'done'), span(foreign(text, signs), 'strong')]]
  }
  const code = error?.error ?? outcome.outcome
  const unreached = outcome.outcome === 'failed' ? 'see that the server runs: oauth-lab serve' : undefined
  const moves = nextMoves(outcome)
  const next = moves.length > 0 || unreached === undefined ? moves : [unreached]
  return [
    [span(`${signs.refused} `, 'refused'), span(foreign(code, signs), 'strong')],
    line(''),
    ...wrap(foreign(error?.error_description ?? 'no reason was given', signs), columns - 2).map(part =>
      line(`  ${part}`),
    ),
    line(''),
    ...(error?.rule === undefined ? [] : row('Rule', error.rule, columns, signs)),
    ...next.flatMap((move, i) => row(i === 0 ? 'Client' : '', move, columns, signs)),
    ...row('Next', 'r runs the flow again', columns, signs),
  ]
}

/** A person's next move after an error, by its code. */
const moves: Readonly<Record<string, string>> = {
  access_denied:
    'the resource owner, or a rule of the server, said no; start again, perhaps with another --scope',
  expired_token: 'start again: a person has a short time only to decide',
  insufficient_user_authentication: 'log in again, as the resource server asks: --acr-values and --max-age',
  insufficient_scope:
    'ask for the scope that the resource needs, which its answer or its documentation names: --scope SCOPE',
  interrupted: 'start again when you are ready',
  invalid_client: 'check the client, its secret or key, and how it shows them: --auth',
  invalid_grant:
    'start again: a code or assertion works once and for a short time, and a password has to be right',
  invalid_metadata: 'ask the people who run this server, or try:  oauth-lab doctor ISSUER',
  invalid_scope: 'ask for a scope that the server knows and the client may have',
  invalid_target: 'ask for a resource that the server knows; in the lab file:  resources: [URI]',
  invalid_token: 'get a new token: this one expired, was revoked, or is for somebody else',
  invalid_binding_message: 'choose a shorter text of plain characters: --binding-message W4SCT',
  issuer_mismatch: 'this answer may come from another server; trust nothing in it',
  login_cancelled: 'say who logs in: --user NAME --password-stdin; or log in yourself: --browser',
  login_failed: 'try again with the right password: --user NAME:PASSWORD, or --password-stdin',
  no_refresh_token:
    'register the client for refresh_token in the lab file; elsewhere ask for --scope offline_access',
  no_resource: 'name one: --resource URL',
  no_token_seen: 'present the token as the challenge asks',
  replay_accepted:
    'report it to the people who run the resource server: a request that was read can be sent again',
  state_mismatch: 'drop this answer and start again: it belongs to another request',
  timeout: 'wait longer: --timeout 2m',
  unmet_authentication_requirements:
    'log in as a user with a second factor (totp_secret in the lab file), or ask for an acr that this user can reach',
  unauthorized_client: 'register the client for this grant in the lab file',
  unsupported_grant_type: 'choose another flow: this server does not know this grant',
  unsupported_token_type: 'leave --token-type out: Bearer is what every server knows',
  unknown_user_id: 'name a person whom the server knows, in the form that it expects: --login-hint NAME',
  unknown_page: 'log in with your own browser: --browser',
}

/** Next moves that depend on the broken rule, by code and rule. They come before those of the code alone. */
const ruledMoves: Readonly<Record<string, string>> = {
  // A new token would have the same dates.
  'invalid_token RFC 7519 §2':
    'correct the server: it writes dates in milliseconds, and has to write seconds',
}

/** The next moves after an ending: those that a refused run names, else the one of its code. */
export function nextMoves({ outcome, error }: Outcome): readonly string[] {
  if (outcome === 'refused' && error?.hints) return error.hints.map(hint => makeSafe(hint))
  const next = nextMove(error?.error ?? '', error?.rule)
  return next === undefined ? [] : [next]
}

/**
 * The next move after an error; undefined where none is known.
 * @param rule the broken rule, such as `RFC 7519 §2`
 */
function nextMove(code: string, rule = ''): string | undefined {
  const ruled = `${code} ${rule}`
  if (Object.hasOwn(ruledMoves, ruled)) return ruledMoves[ruled]
  return Object.hasOwn(moves, code) ? moves[code] : undefined
}

/** The ending of a wrong move, for people. */
export interface TamperEnding {
  /** True when it was refused, as the rule asks or in another form, and when it harms nobody here. */
  readonly good: boolean
  /** True when it was accepted, and harms nobody here. */
  readonly remark?: true
  /** One sentence without a full stop. */
  readonly text: string
  /** The other side's answer to it; absent without one. */
  readonly said?: string
}

/**
 * The end of a flow with a wrong move in it.
 * @returns undefined for any other flow
 */
export function tamperEnding({
  tamper,
  expected = false,
  error,
  outcome,
}: Outcome): TamperEnding | undefined {
  if (!tamper) return undefined
  const { move, wanted, found, harmless } = tamper
  if (error?.error === 'unreadable_page') {
    return { good: false, text: `${move} has no known end: the login page cannot be read from here` }
  }
  if (found === undefined) return { good: false, text: `${move} was not made: the flow ended before` }
  if (expected) {
    const said = error?.error_description
    return { good: true, text: `${move} as expected: ${found}`, ...(said !== undefined && { said }) }
  }
  if (harmless !== undefined) {
    return {
      good: true,
      remark: true,
      text: `${move} was not refused, which harms nobody here: ${harmless}; expected ${wanted}; got ${found}`,
    }
  }
  const good = outcome === 'refused'
  const what = good ? 'was refused in another way' : 'was not refused'
  return { good, text: `${move} ${what}: expected ${wanted}; got ${found}` }
}
