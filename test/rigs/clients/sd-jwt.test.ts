import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { cleanEnv, run, runProgram, temporaryFolder } from '../../support/program.js'
import { describeWith, rigs } from '../../support/requires.js'

interface Shown {
  readonly verdict: string
  readonly claims: Readonly<Record<string, unknown>>
  readonly checks?: readonly { readonly name: string; readonly ok: boolean }[]
  readonly disclosures: readonly { readonly place?: string }[]
  readonly kept_back: number
}

describeWith([rigs], 'a credential of @sd-jwt/core', () => {
  const folder = temporaryFolder()
  afterAll(folder.remove)
  const env = cleanEnv(folder.path)
  const jwks = join(folder.path, 'jwks.json')
  let presented = ''
  let withheld = ''

  beforeAll(async () => {
    const { stdout } = await run(process.execPath, [join(import.meta.dirname, 'sd-jwt.js')], { env })
    const made = JSON.parse(stdout) as { presented: string; withheld: string; jwks: object }
    presented = made.presented
    withheld = made.withheld
    writeFileSync(jwks, JSON.stringify(made.jwks))
  })

  async function verified(token: string, ...options: string[]): Promise<Shown & { code: number | null }> {
    const args = ['jwt', 'verify', token, '--jwks', jwks, '--json', ...options]
    const { stdout, code } = await runProgram(args, { env })
    return { ...(JSON.parse(stdout) as Shown), code }
  }
  const failed = ({ checks = [] }: Shown) => checks.filter(({ ok }) => !ok).map(({ name }) => name)

  it('is shown with what it discloses in its place', async () => {
    const { stdout } = await runProgram(['jwt', 'decode', presented, '--json'], { env })
    const shown = JSON.parse(stdout) as Shown
    expect(shown.claims).toMatchObject({
      given_name: 'Alice',
      address: { locality: 'Wonderland' },
      nationalities: ['FR'],
    })
    expect(shown.claims).not.toHaveProperty('_sd')
    expect(shown.claims).not.toHaveProperty('family_name')
    expect(shown.disclosures.map(({ place }) => place).sort()).toEqual([
      'address',
      'address.locality',
      'given_name',
      'nationalities[0]',
    ])
    // family_name, country, GB and two decoys.
    expect(shown.kept_back).toBe(5)
  })

  it('is accepted by its reader, and refused by another, with another nonce, and without a disclosure', async () => {
    const reader = ['--audience', 'https://shop.example', '--nonce', 'n-0S6']
    expect(await verified(presented, ...reader)).toMatchObject({ code: 0, verdict: 'accepted' })
    expect(failed(await verified(presented, '--audience', 'https://other.example'))).toEqual([
      'key_binding_aud',
    ])
    expect(failed(await verified(presented, '--nonce', 'other'))).toEqual(['key_binding_nonce'])
    const [jwt, , ...rest] = presented.split('~')
    expect(failed(await verified([jwt, ...rest].join('~'), ...reader))).toContain('key_binding_sd_hash')
  })

  it('is accepted with nothing disclosed, with the remark that it is bound to no holder', async () => {
    const shown = await verified(withheld)
    expect(shown).toMatchObject({ code: 0, verdict: 'accepted', disclosures: [] })
    expect(failed(shown)).toEqual(['key_binding'])
  })
})
