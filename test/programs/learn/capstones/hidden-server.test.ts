import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createTransport } from '../../../../src/client/transport.js'
import { labGreeting } from '../../../../src/lab/greeting.js'
import { startLab } from '../../../../src/lab/lab.js'
import { loadLabConfig } from '../../../../src/lab/lab-file/config.js'
import type { Lab } from '../../../../src/lab/model.js'
import { labConfigured } from '../../../../src/lab/state/lab-configured.js'
import { hiddenModes, missingDefences } from '../../../../src/learn/capstones/weak-server.js'
import type { LabEvent } from '../../../../src/protocol/events.js'
import { weakModes } from '../../../../src/protocol/rules/weak-modes.js'
import { temporaryFolder } from '../../../support/program.js'

const NOTICE = 'WEAK on purpose: defences are missing, and which ones is hidden'

/** Pages and documents that people read first. */
const PATHS = [
  '/',
  '/authorization?response_type=code&client_id=demo&redirect_uri=http%3A%2F%2F127.0.0.1%2Fcallback',
  '/authorization?client_id=nobody',
  '/device',
  '/.well-known/openid-configuration',
  '/.well-known/oauth-authorization-server',
  '/.well-known/oauth-protected-resource',
  '/resource',
  '/login',
]

describe.each([0, 1, 2, 3, 4, 5])('the hidden lab of seed %i', seed => {
  const folder = temporaryFolder()
  const names = missingDefences(seed)
  let lab: Lab
  const events: LabEvent[] = []
  beforeAll(async () => {
    const config = { ...(await loadLabConfig(null)), weak: hiddenModes(missingDefences(seed)) }
    const ports = { authorization: 0, resource: 0, client: 0 }
    lab = await startLab({ config, home: folder.path, ports })
    lab.events.subscribe(event => events.push(event))
  })
  afterAll(async () => {
    await lab.stop()
    folder.remove()
  })

  const expectUnnamed = (text: string): void => {
    for (const { name, sentence, opens } of weakModes(names)) {
      // Words of two parts, so that `referrer` in an HTTP header is no name of a mode.
      if (name.includes('-')) expect(text).not.toContain(name)
      expect(text).not.toContain(sentence)
      expect(text).not.toContain(opens)
    }
  }

  it('is weak, says so on its pages, and names nothing', async () => {
    const transport = createTransport({ caPem: lab.caPem, env: {} })
    const notices: string[] = []
    for (const base of [lab.urls.authorization, lab.urls.resource, lab.urls.client]) {
      for (const path of PATHS) {
        const { response } = await transport.send({
          ...{
            method: 'GET',
            url: `${base}${path}`,
            headers: [['accept', 'text/html']],
            body: new Uint8Array(),
          },
        })
        const text = response?.body ?? ''
        expectUnnamed(text)
        if (text.includes('<h1>')) notices.push(text.includes(NOTICE) ? NOTICE : `${base}${path}`)
      }
    }
    transport.close()
    expect(new Set(notices)).toEqual(new Set([NOTICE]))
    expect(lab.config.weak).toEqual(['hidden', ...names])
  })

  it('names nothing in its events, which say that it is weak', async () => {
    expect(events.length).toBeGreaterThan(PATHS.length)
    expect(events.filter(({ weak }) => weak?.join() !== 'hidden')).toEqual([])
    expectUnnamed(JSON.stringify(events))
    expect(await labConfigured(lab.config, folder.path)).toMatchObject({ weak: ['hidden'] })
  })

  it('greets without names', () => {
    const greeting = labGreeting(lab).join('\n')
    expect(greeting).toContain(NOTICE)
    expectUnnamed(greeting)
  })
})
