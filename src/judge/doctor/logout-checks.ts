import type { Outcome, Step, StepName } from '../../flows/step.js'
import { isBreach } from '../../protocol/oauth/check.js'
import { inGroup } from './facts.js'
import { fault, type Judgement, notApplicable, notTried, pass, remark } from './finding.js'
import { hasFrameProtection } from './flow-checks.js'

/** A logout without any wrong move. */
export interface WalkedLogout {
  readonly steps: readonly Step[]
  readonly outcome: Outcome | undefined
}

const RULE = 'OpenID Connect RP-Initiated Logout §2'
const lastOf = ({ steps }: WalkedLogout, name: StepName) => steps.findLast(each => each.name === name)

function checkIn(walked: WalkedLogout, step: StepName, name: string) {
  return lastOf(walked, step)?.checks?.find(each => each.name === name)
}

/** The pages of a logout: its question, and the page at its end. */
function pagesOf({ steps }: WalkedLogout) {
  return steps.flatMap(({ name, exchange }) =>
    (name === 'logout_request' || name === 'logout_confirmation') && exchange?.response?.status === 200
      ? [exchange.response]
      : [],
  )
}

/** Judges every page of a logout. */
function onPages(
  walked: WalkedLogout,
  judge: (page: ReturnType<typeof pagesOf>[number]) => string | undefined,
  wrong: string,
): Judgement {
  const pages = pagesOf(walked)
  if (pages.length === 0) return notApplicable('the logout shows no page')
  const found = pages.map(judge)
  return found.some(each => each === undefined) ? fault(wrong) : pass(found[0] ?? '')
}

/** Checks of an honest logout (OpenID Connect RP-Initiated Logout). */
export const logoutChecks = inGroup<WalkedLogout>('logout', [
  {
    name: 'logout-ends-session',
    title: 'a logout that the person confirms ends the session',
    rule: RULE,
    judge(walked) {
      const before = checkIn(walked, 'session_check', 'session')
      const after = checkIn(walked, 'ended_session_check', 'session_ended')
      if (after === undefined) {
        return notTried(
          `the logout ended before: ${walked.outcome?.error?.error_description ?? 'no outcome'}`,
        )
      }
      if (isBreach(after)) return fault(after.detail ?? 'still logged in')
      if (!before?.ok)
        return notTried(`prompt=none shows no session before: ${before?.detail ?? 'no answer'}`)
      return after.ok ? pass(after.detail ?? '') : notTried(after.detail ?? 'no answer')
    },
  },
  {
    name: 'logout-state',
    title: 'the browser comes back from the logout with the state of the request',
    rule: RULE,
    judge(walked) {
      const { outcome } = walked
      const returned = lastOf(walked, 'logout_response')
      if (returned === undefined) return notApplicable('no registered post_logout_redirect_uri is known')
      if (returned.url !== undefined) return pass('the value that was sent')
      if (outcome?.error?.error === 'state_mismatch') return fault(outcome.error.error_description)
      return remark(returned.note ?? 'the browser did not come back')
    },
  },
  {
    name: 'logout-frame-protection',
    severity: 'weakness',
    title: 'the pages of the logout cannot be put into a frame',
    rule: 'RFC 9700 §4.16',
    judge: walked => onPages(walked, hasFrameProtection, 'neither X-Frame-Options nor frame-ancestors'),
  },
  {
    name: 'logout-not-cached',
    severity: 'remark',
    title: 'the pages of the logout are not kept by caches',
    rule: 'RFC 9111 §5.2.2',
    judge: walked =>
      onPages(
        walked,
        ({ headers }) =>
          headers.find(
            ([name, value]) => /^cache-control$/i.test(name) && /no-store|no-cache/i.test(value),
          )?.[1],
        'Cache-Control has neither no-store nor no-cache',
      ),
  },
])
