import { shownPage } from '../../client/page-visitor.js'
import type { Step } from '../../flows/step.js'
import type { Exchange } from '../../protocol/http/exchange.js'
import { parseForm } from '../../protocol/http/form.js'
import { splitUrl } from '../../protocol/http/message.js'
import type { Defence, Refusal } from './defence.js'
import { type Attack, planned } from './model.js'
import { deviceRequest, grantRequest, memberOf } from './moves.js'
import { recordsRead } from './planned-steps.js'
import { stealRecords } from './records-theft.js'
import type { Scene } from './scene.js'

/** The client that the attacker's device claims to be. */
const CLIENT = 'demo-tv'

const DEVICE_GRANT = 'urn:ietf:params:oauth:grant-type:device_code'

/** The sentence of the page that stops a person who has no device in hand. */
const WARNING = /only if your own device shows this code/i

const WARNED: Defence = { check: 'device_warning', rule: 'RFC 8628 §5.4' }

/** The time that the attacker waits before a poll, in milliseconds. */
const POLL_PAUSE = 10_000

/** Opens the page of the link, and does what a person does who reads it: logs in, or refuses because no device shows the code. */
async function* decide(scene: Scene, link: string): AsyncGenerator<Step, Exchange, void> {
  const { victim, accounts, step } = scene
  const page = await victim.open(link)
  const warned = WARNING.test(page.response?.body ?? '')
  const note = warned
    ? 'alice reads: “Continue only if your own device shows this code now”. She has no such device'
    : 'the page says nothing about a device: alice reads a login page of her own server'
  yield step('device_verification', { exchange: page, note })
  const { form } = shownPage(page)
  if (form === undefined) return page
  const decided = warned
    ? await victim.post(form.action, [...form.fields, ['cancel', 'yes']], page, {
        advice: 'you have no such device. Decide by what the page says',
      })
    : await victim.logIn(form, accounts.victim, page)
  yield step('device_approval', {
    exchange: decided,
    note: warned ? 'alice refuses' : 'alice logs in and allows',
  })
  return decided
}

async function* run(scene: Scene): AsyncGenerator<Step, Refusal | undefined, void> {
  const { attacker, catcher, step, advance } = scene
  const begun = await attacker.send(deviceRequest(scene, catcher.client, 'records:read'))
  yield step('device_authorization_request', { exchange: begun })
  const [deviceCode, userCode] = [memberOf(begun, 'device_code'), memberOf(begun, 'user_code')]
  const uri = memberOf(begun, 'verification_uri')
  if (deviceCode === undefined || userCode === undefined || uri === undefined) return scene.refusal(begun)
  const link = memberOf(begun, 'verification_uri_complete') ?? `${uri}?user_code=${userCode}`
  yield step('lure', { url: link, note: '“Please confirm your account within ten minutes”' })

  const decided = yield* decide(scene, link)
  advance(POLL_PAUSE)
  const poll = grantRequest(scene, catcher.client, DEVICE_GRANT, { device_code: deviceCode })
  const refusal = yield* stealRecords(scene, poll, 'poll_request')
  return refusal && judged(decided, refusal)
}

/** The refusal of the poll, with the check behind it: alice pressed Refuse on a page that warned her. */
function judged({ request }: Exchange, refusal: Refusal): Refusal {
  const pressed = parseForm(request.body).some(([name]) => name === 'cancel')
  if (!pressed) return refusal
  const { path } = splitUrl(request.url)
  return {
    ...WARNED,
    detail: `alice pressed Refuse at ${path}, and the poll was answered: ${refusal.detail}`,
  }
}

/** A device of the attacker that the victim approves. */
export const devicePhishing: Attack = {
  name: 'device-phishing',
  title: 'a device of the attacker, approved by the victim through a link',
  rule: 'RFC 8628 §5.4',
  weak: ['device-no-warning'],
  opened: { 'device-no-warning': { stolen: true } },
  starts: [
    'The attacker can send alice a link (A1 in RFC 9700 §3).',
    'The attacker knows the client_id of a device; a device is a public client.',
    'Alice reads the pages of her own server, and believes them.',
  ],
  steals: 'records of alice',
  defences: [WARNED],
  wouldNotHelp: [
    'checking the address of the page: alice is at the real server',
    'a second factor: alice logs in herself, with all her factors',
    'PKCE and redirect addresses: this grant has neither',
  ],
  clients: () => [
    {
      ...{ client_id: CLIENT, client_name: 'Demo television', redirect_uris: [], response_types: [] },
      grant_types: [DEVICE_GRANT],
    },
  ],
  running: { standIn: 'demo' },
  plan: [
    planned(
      'device_authorization_request',
      ['attacker', 'authorization_server'],
      'POST /device_authorization',
      '8628 §3.1',
      'The attacker starts the login of a device that they own, and gets a user code.',
    ),
    planned(
      'lure',
      ['attacker', 'user_agent'],
      'a link in a mail',
      '8628 §5.4',
      'The attacker sends alice the link with the user code.',
    ),
    planned(
      'device_verification',
      ['user_agent', 'authorization_server'],
      'GET /device',
      '8628 §3.3',
      'Alice opens the link. The page must make her compare the code with a device in her hand.',
    ),
    planned(
      'device_approval',
      ['user_agent', 'authorization_server'],
      'POST /device',
      '8628 §3.3',
      'Alice decides by what the page says.',
    ),
    planned(
      'poll_request',
      ['attacker', 'authorization_server'],
      'POST /token',
      '8628 §3.4',
      'The attacker’s device asks for its tokens.',
    ),
    recordsRead('The attacker reads the records with the token of the device.'),
  ],
  run,
}
