import { describe, expect, it } from 'vitest'
import type { PlannedStep } from '../../../../src/flows/step.js'
import { drawLanes, laneNames, placeLanes } from '../../../../src/show/render/steps/lanes.js'
import type { Entry } from '../../../../src/show/render/steps/sequence.js'
import { signsFor } from '../../../../src/show/render/text/signs.js'
import { plainText } from '../../../../src/show/render/text/spans.js'
import { LOGIN, LOGIN_FORM, PLAN, REFUSED_LOGIN, REPLAYED, STEPS, TOKEN_STEP } from '../../tui/steps.js'

const resource: PlannedStep = {
  ...PLAN[5]!,
  to: 'resource_server',
  title: 'GET /resource  Authorization: Bearer eyJ…',
}
const plan = [...PLAN.slice(0, 5), resource]
const signs = signsFor({ ascii: false })

function drawn(entries: readonly Entry[], columns: number, masking: 'all' | 'none' = 'all'): string[] {
  const lanes = placeLanes(plan, columns)
  return [laneNames(lanes), ...drawLanes(entries, lanes, { masking, signs }).map(({ line }) => line)].map(
    line => plainText(line).trimEnd(),
  )
}

const done = (step: Entry['step']): Entry => ({ n: step!.n, planned: step!, step: step!, status: 'done' })

describe('the lanes', () => {
  it('stand where the drawing of 80 columns has them, solid for what happened, dotted for what is planned', () => {
    expect(
      drawn(
        [done(STEPS[0]), done(LOGIN_FORM), done(TOKEN_STEP), { n: 6, planned: resource, status: 'next' }],
        80,
      ),
    ).toEqual([
      '       browser              client            authorization          resource',
      '✓ 1       │◄─ open the auth… ──│                    │                    │',
      '✓ 2       │─ GET /authorization?response_type=c… ──►│                    │',
      '✓ 2       │◄─────────── 200 login form ─────────────│                    │',
      '✓ 5       │                    │─ POST /token  … ──►│                    │',
      '✓ 5       │                    │◄─ 200  access_t… ──│                    │',
      '○ 6       │                    │┄ GET /resource  Authorization: Bear… ┄┄►│',
      '○ 6       │                    │◄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄│',
    ])
  })

  it('name fields and never their secrets', () => {
    const text = drawn([done(LOGIN), done(REFUSED_LOGIN), done(REPLAYED)], 140).join('\n')
    expect(text).toContain('POST /authorization  username password csrf')
    expect(text).toContain('302  ?code=k3V9…Qm1&state=af0')
    expect(text).toContain('200 login form again')
    expect(text).toContain('400  invalid_grant')
    expect(text).not.toContain('wonderland')
    expect(drawn([done(LOGIN)], 140, 'none').join('\n')).toContain('?code=k3V9wTzR4bLqYc0eXnA7uHsJfQm1')
  })
})

it.each([
  ['?error=access_denied&state=x', '✗'],
  ['#state=x&error=access_denied', '✗'],
  ['?code=x&state=error', '✓'],
])('a redirect with an error: %s has %s on its arrow, and none on its request', (answer, sign) => {
  const { exchange } = LOGIN
  const headers = [['location', `http://127.0.0.1:7000/callback${answer}`]] as const
  const response = { ...exchange!.response!, headers }
  const step = { ...LOGIN, exchange: { ...exchange!, response } }
  const [, request, redirect] = drawn([done(step)], 80)
  expect([request?.[0], redirect?.[0]]).toEqual(['✓', sign])
})
