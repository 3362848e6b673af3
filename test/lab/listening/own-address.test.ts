import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { openMounts, requireOwnAddress } from '../../../src/lab/listening/mounts.js'
import { UsageError } from '../../../src/protocol/errors.js'

let home = ''
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'oauth-lab-own-address-'))
})
afterEach(() => rmSync(home, { recursive: true, force: true }))

/** An address of a documentation network (RFC 5737), which no machine has. */
const ELSEWHERE = '198.51.100.77'

describe('a host that is no address of this machine', () => {
  it('is refused before a certificate is made for it', async () => {
    await expect(openMounts({ home, host: ELSEWHERE })).rejects.toThrow(
      `${ELSEWHERE} is not an address of this machine`,
    )
    expect(readdirSync(home)).toEqual([])
  })

  it('does not replace the CA that programs trust', async () => {
    const mounts = await openMounts({ home })
    await mounts.stop()
    const ca = readFileSync(join(home, 'ca.pem'), 'utf8')
    await expect(openMounts({ home, host: '8.8.8.8' })).rejects.toThrow(UsageError)
    expect(readFileSync(join(home, 'ca.pem'), 'utf8')).toBe(ca)
  })
})

it.each(['127.0.0.1', '0.0.0.0'])('%s is an address of this machine', async host => {
  await expect(requireOwnAddress(host, home)).resolves.toBeUndefined()
})
