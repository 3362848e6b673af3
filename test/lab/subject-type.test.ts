import { mkdtemp, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { startLab } from '../../src/lab/lab.js'
import { labConfigFrom } from '../../src/lab/lab-file/config.js'
import { labPairwiseSalt } from '../../src/lab/sites/sites.js'

const check = (client: object) => labConfigFrom({ clients: [{ client_id: 'c', ...client }] }, 'lab')

describe('a pairwise client of a lab file', () => {
  it('is taken with redirect addresses on one host', async () => {
    const client = { subject_type: 'pairwise', redirect_uris: ['https://a.example/1', 'https://a.example/2'] }
    const { clients } = await check(client)
    expect(clients[0]).toMatchObject(client)
  })

  it('is refused with two hosts and no sector document, and is told the cure', async () => {
    const client = { subject_type: 'pairwise', redirect_uris: ['https://a.example/', 'https://b.example/'] }
    const error = await check(client).catch(error => error)
    expect([error.message, ...error.hints].join('\n')).toMatch(
      /subject_type: the redirect_uris are on 2 hosts .*sector_identifier_uri that lists every redirect_uri/,
    )
    const whole = { ...client, sector_identifier_uri: 'https://a.example/list.json' }
    expect((await check(whole)).clients[0]).toMatchObject(whole)
  })
})

describe('a pairwise client under the profile reference', () => {
  const clients = [{ client_id: 'c', subject_type: 'pairwise', redirect_uris: ['https://a.example/1'] }]

  it('is refused with its lab file', async () => {
    const error = await labConfigFrom({ profile: 'reference', clients }, 'lab').catch(error => error)
    expect([error.message, ...error.hints].join('\n')).toMatch(
      /clients\[0\]\.subject_type: the profile reference has no pairwise subjects/,
    )
  })

  it('is refused at the start of a lab that gets the profile from elsewhere', async () => {
    const config = await labConfigFrom({ clients }, 'lab')
    const home = await mkdtemp(join(tmpdir(), 'reference-'))
    onTestFinished(() => rm(home, { recursive: true }))
    const ports = { authorization: 0 }
    await expect(
      startLab({ config: { ...config, profile: 'reference' }, home, ports } as Parameters<
        typeof startLab
      >[0]),
    ).rejects.toThrow('the profile reference has no pairwise subjects, as client c needs')
  })
})

it('the salt of a state folder is made once, is closed to others, and survives a restart', async () => {
  const home = await mkdtemp(join(tmpdir(), 'salt-'))
  onTestFinished(() => rm(home, { recursive: true }))
  let made = 0
  const random = (length: number) => new Uint8Array(length).fill(++made)
  const first = await labPairwiseSalt(home, random)()
  expect(first).toHaveLength(32)
  expect(await labPairwiseSalt(home, random)()).toEqual(first)
  expect(made).toBe(1)
  if (process.platform !== 'win32') expect((await stat(join(home, 'pairwise-salt'))).mode & 0o777).toBe(0o600)
})
