import { describe } from 'vitest'
import { answered, ask, nextBody, receive, say, toPane, wait } from '../../../../src/show/tui/flow/changes.js'
import { typeIn } from '../../../../src/show/tui/flow/login.js'
import type { FlowState } from '../../../../src/show/tui/flow/state.js'
import { by, set } from '../changes.js'
import { draws } from '../screen/frames.js'
import { FAILED, GRANTED, REFUSED, REFUSED_LOGIN, REPLAYED } from '../steps.js'
import { deviceRecord, SHOWN_CODE } from './device.js'
import { acted, draw, stateAfter } from './draw.js'

const wide = { columns: 100, rows: 30 }
const normal = { columns: 80, rows: 24 }
const small = { columns: 60, rows: 20 }

const prompt = { clientId: 'demo', scope: 'records:read' }
const suggested = { username: 'alice', password: 'wonderland' }

const asking = acted(stateAfter(2), by(wait, false), by(ask, prompt, suggested))
const askingAgain = acted(
  asking,
  answered,
  by(receive, REFUSED_LOGIN),
  by(wait, false),
  by(ask, { ...prompt, message: 'The username or the password is wrong.' }, suggested),
)
const codePrompt = { ...prompt, oneTimeCode: true } as const
const codeAsked = ask(stateAfter(2), codePrompt, suggested)
const askingCode = { ...codeAsked, login: typeIn(codeAsked.login!, '28708') }
const askingCodeAgain = acted(
  askingCode,
  answered,
  by(ask, { ...codePrompt, message: 'The code is wrong, or was used before.' }, suggested),
)
const authorize = `https://id.example/authorize?response_type=code&client_id=web&redirect_uri=https%3A%2F%2Fapp.example%2Fcb&state=${'s'.repeat(43)}&code_challenge=${'c'.repeat(43)}&code_challenge_method=S256`
const pastes = {
  clientId: 'web',
  pastes: 'https://app.example/cb',
  message: 'That address is not at https://app.example/cb. Copy the one at which your browser ended.',
}
const opening = `Open this address to log in:  ${authorize}`
const pasting = acted(stateAfter(2), by(say, opening), by(ask, pastes, undefined))
const qr = { ...acted(stateAfter(0), deviceRecord()), qr: SHOWN_CODE }
const token = (state: FlowState) => toPane(state, 'token')
const help = acted(stateAfter(2), set({ page: 'help' }))

const drawings: Readonly<Record<string, () => string>> = {
  'begin-100x30': () => draw(stateAfter(0), wide),
  'token-100x30': () => draw(stateAfter(5), wide),
  'granted-100x30': () => draw(stateAfter(6, GRANTED), wide),
  'login-100x30': () => draw(asking, wide),
  'code-100x30': () => draw(askingCode, wide),
  'begin-80x24': () => draw(stateAfter(0), normal),
  'exchange-80x24': () => draw(stateAfter(5), normal),
  'token-80x24': () => draw(token(stateAfter(6, GRANTED)), normal),
  'refused-80x24': () => draw(stateAfter(4, REPLAYED, REFUSED), normal),
  'failed-80x24': () => draw(stateAfter(4, FAILED), normal),
  'login-again-80x24': () => draw(askingAgain, normal),
  'code-again-80x24': () => draw(askingCodeAgain, normal),
  'help-80x24': () => draw(help, normal),
  'raw-80x24': () => draw(nextBody(stateAfter(5)), normal),
  'hex-80x24': () => draw(acted(stateAfter(6), nextBody, nextBody), normal),
  'secrets-80x24': () => draw({ ...stateAfter(5), showSecrets: true }, normal),
  'exchange-60x20': () => draw(stateAfter(5), small),
  'token-60x20': () => draw(token(stateAfter(6)), small),
  'login-again-60x20': () => draw(askingAgain, small),
  'code-again-60x20': () => draw(askingCodeAgain, small),
  'help-60x20': () => draw(help, small),
  'ascii-60x20': () => draw(stateAfter(5), small, { ascii: true }),
  'ascii-100x30': () => draw(stateAfter(5), wide, { ascii: true }),
  'paste-80x24': () => draw(pasting, normal),
  'paste-60x20': () => draw(pasting, small),
  'qr-100x30': () => draw(qr, wide),
  'qr-80x24': () => draw(qr, normal),
  'qr-60x20': () => draw(qr, small),
  'qr-no-room-80x24': () => draw(qr, normal, { ascii: true }),
  'too-small-48x14': () => draw(stateAfter(5), { columns: 48, rows: 14 }),
}

describe('the flow screen', () => {
  draws(drawings)
})
