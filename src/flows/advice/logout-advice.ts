import type { Advice, Refusal } from './refusal-facts.js'

const leaving = new Set(['logout_request', 'logout_confirmation'])

const isLeaving = ({ step }: Refusal) => step !== undefined && leaving.has(step.name)

const namesReturn = ({ description }: Refusal) =>
  /post.?logout|redirect.?ur[il]|return (address|ur[il])/i.test(description)

/** Advice after a logout that is refused (OpenID Connect RP-Initiated Logout §2, §4). */
export const logoutAdvice: readonly Advice[] = [
  [
    ({ code, description }) => code === 'invalid_metadata' && description.startsWith('end_session_endpoint'),
    () => [
      'end the session on a page of the server itself, and revoke the tokens: no client can ask this server for a logout',
      'if the server knows RP-initiated logout, it has to publish end_session_endpoint: oauth-lab doctor ISSUER',
    ],
  ],
  [
    refusal => isLeaving(refusal) && namesReturn(refusal),
    ({ clientId, foreign, postLogoutRedirectUri }) => [
      `register ${postLogoutRedirectUri ?? 'the address'} for client ${clientId}: post_logout_redirect_uris${foreign ? ' at the server' : ' in the lab file'}`,
      'or name a registered one, compared character by character: --post-logout-redirect-uri URI',
    ],
  ],
  [
    refusal => isLeaving(refusal) && /hint|id.?token/i.test(refusal.description),
    ({ clientId }) => [
      `suspect an ID token of another client, issuer or session: its aud has to name ${clientId}`,
      'send none, and answer the question of the server: --no-hint',
    ],
  ],
  [
    refusal => isLeaving(refusal) && refusal.code === 'unknown_page',
    () => ['answer the page in your own browser: --browser'],
  ],
  [
    ({ code }) => code === 'still_logged_in',
    () => [
      'suspect a session of another browser, or a question of the server that nobody answered: try --browser',
      'if this happens in each run, report it to the people who run the server: a confirmed logout has to end the session',
    ],
  ],
]
