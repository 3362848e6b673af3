import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { loadLabConfig } from '../../../../src/lab/lab-file/config.js'
import { judgeProbe } from '../../../../src/learn/engine/vocabulary.js'
import type { ProbeName, ProbeReport } from '../../../../src/learn/model.js'
import { runProbe } from '../../../../src/learn/probe/run-probe.js'
import { sharedFolder } from '../../../support/shared.js'

const folder = sharedFolder()

const client = join(import.meta.dirname, '../../../learn/probe/login-client.mjs')

async function reportOn(probe: ProbeName, how: string, file = client): Promise<ProbeReport> {
  const config = await loadLabConfig(null)
  return runProbe(probe, {
    command: [process.execPath, file, ...how.split(' ').filter(each => each !== '')],
    folder: folder.path,
    home: join(folder.path, 'lab'),
    config,
    client: config.clients.find(each => each.client_id === 'demo')!,
    user: { username: 'alice', password: 'wonderland' },
  })
}

const NOTHING = 'Your client finished no run at all, not even the right ones.'

describe('a client with every check', () => {
  it.each([
    'state',
    'iss',
    'nonce',
    'at_hash',
    'mix-up',
    'access-token',
    'code',
    'redirect',
    'pkce',
    'opaque',
    'one-use',
  ] as const)('passes the probe %s', { timeout: 120_000 }, async probe => {
    const report = await reportOn(probe, '')
    expect(judgeProbe(report), JSON.stringify(report.runs, undefined, 2)).toBe('passed')
  })
})

describe.concurrent('a near miss', () => {
  it.each([
    ['state', 'state=none', 'redeemed the code in all 3 wrong runs. Its state is sent, but not compared.'],
    ['state', 'state=constant', 'sends the same state every time'],
    ['state', 'state=itself', 'redeemed the code in all 3 wrong runs'],
    ['iss', 'iss=none', 'redeemed the code in all 3 wrong runs. Its iss is not compared.'],
    ['iss', 'iss=constant', NOTHING],
    ['iss', 'iss=itself', 'redeemed the code in all 3 wrong runs'],
    ['nonce', 'nonce=none', 'sends no nonce'],
    ['nonce', 'nonce=constant', 'sends the same nonce every time'],
    ['nonce', 'nonce=itself', 'accepted the tokens in all 3 wrong runs. Its nonce is sent, but not compared'],
    ['nonce', 'scope=records:read aud=none', 'asks for no ID token'],
    ['at_hash', 'at_hash=none sub=none', 'accepted the tokens in all 3 wrong runs. Its access token is not'],
    ['at_hash', 'at_hash=constant', NOTHING],
    ['at_hash', 'at_hash=itself sub=none', 'accepted the tokens in all 3 wrong runs'],
    ['at_hash', 'at_hash=none', 'accepted the tokens in all 3 wrong runs'],
    ['at_hash', 'scope=records:read aud=none', 'there is no at_hash to compare'],
    ['mix-up', 'iss=none metadata=none', 'took the code to a token endpoint in all 3 wrong runs. The server'],
    ['mix-up', 'iss=constant', NOTHING],
    ['mix-up', 'iss=itself metadata=none', 'took the code to a token endpoint in all 3 wrong runs'],
    ['mix-up', 'metadata=none', 'in 1 of 3 wrong runs: metadata that names another server as issuer'],
    [
      'access-token',
      'aud=none at_hash=none sub=none',
      'logged somebody in in all 3 wrong runs. It does not ask',
    ],
    ['access-token', 'aud=constant', NOTHING],
    ['access-token', 'aud=itself', 'in 1 of 3 wrong runs: the tokens that another client got.'],
    [
      'access-token',
      'at_hash=none sub=itself',
      'in 1 of 3 wrong runs: the access token of another client beside',
    ],
    ['access-token', 'scope=profile aud=none', 'logged somebody in in all 3 wrong runs'],
  ] as const)('of %s fails by %s', { timeout: 120_000 }, async (probe, how, sentence) => {
    const report = await reportOn(probe, how)
    expect(judgeProbe(report), JSON.stringify(report.runs, undefined, 2)).toContain(sentence)
  })
})
