import { encode } from 'uqr'
import type { Step } from '../../../../src/flows/step.js'
import { receive } from '../../../../src/show/tui/flow/changes.js'
import type { ShownCode } from '../../../../src/show/tui/flow/state.js'
import { by } from '../changes.js'

export const DEVICE_URL = 'https://id.example/device?user_code=WDJB-MJHT'

/** The step of a device that asks for a code. */
export const deviceStep = (url = DEVICE_URL): Step => ({
  type: 'step',
  n: 1,
  of: 6,
  name: 'device_authorization_request',
  from: 'client',
  to: 'authorization_server',
  title: 'POST /device_authorization',
  rfc: '8628 §3.1',
  why: 'A device without a browser asks for a short code that a person can type elsewhere.',
  url,
  note: `type WDJB-MJHT at ${url.replace(/\?.*/s, '')}`,
})

export const deviceRecord = (url?: string) => by(receive, deviceStep(url))

/** The modules of a code; true is dark. */
export const modulesOf = (url = DEVICE_URL) => encode(url, { border: 2, ecc: 'L' }).data

export const SHOWN_CODE: ShownCode = { url: DEVICE_URL, note: deviceStep().note ?? '', code: modulesOf() }
