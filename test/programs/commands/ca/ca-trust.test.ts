import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeEach, describe, expect, it } from 'vitest'
import type { TrustedCa, TrustWorld } from '../../../../src/lab/trust-store/change.js'
import { asAllowed, planTrust } from '../../../../src/lab/trust-store/plan.js'
import { thisComputer } from '../../../../src/lab/trust-store/world.js'
import { programInHome } from '../../../commands/support.js'
import { run } from '../../../support/program.js'
import { describeWith, findProgram } from '../../../support/requires.js'
import { sharedFolder } from '../../../support/shared.js'

const { env, home, oauthLab } = programInHome()

const place = sharedFolder()

const ca: TrustedCa = {
  file: join(place.path, 'ca.pem'),
  pem: 'a certificate\n',
  name: 'oauth-lab CA 1a2b3c4d',
  sha1: 'AB'.repeat(20),
}

let number = 0
/** A computer in an empty folder, on which the named programs only say what they were called with. */
function computer(programs: readonly string[], more: Partial<TrustWorld> = {}) {
  const systemRoot = join(place.path, `root-${++number}`)
  mkdirSync(systemRoot)
  const calls: string[][] = []
  const world: TrustWorld = {
    ...thisComputer({}),
    platform: 'linux',
    home: join(systemRoot, 'alice'),
    systemRoot,
    isRoot: true,
    find: program => (programs.includes(program) ? program : undefined),
    async run(program, args) {
      calls.push([program, ...args])
      return { code: 0, output: '' }
    },
    ...more,
  }
  return { world, calls, at: (path: string) => join(systemRoot, path) }
}

const linuxes = [
  ['Debian', 'usr/local/share/ca-certificates', 'crt', 'update-ca-certificates', [], ['--fresh']],
  ['Fedora', 'etc/pki/ca-trust/source/anchors', 'pem', 'update-ca-trust', ['extract'], ['extract']],
  [
    'Arch',
    'etc/ca-certificates/trust-source/anchors',
    'crt',
    'trust',
    ['extract-compat'],
    ['extract-compat'],
  ],
  ['openSUSE', 'etc/pki/trust/anchors', 'pem', 'update-ca-certificates', [], []],
] as const

describe('the store of a Linux system', () => {
  beforeEach(() => writeFileSync(ca.file, ca.pem))

  it.each(linuxes)('%s: in %s', async (family, folder, extension, update, adding, removing) => {
    const { world, at } = computer([update])
    mkdirSync(at(folder), { recursive: true })
    const target = join(at(folder), `oauth-lab-CA-1a2b3c4d.${extension}`)
    const install = await planTrust('install', ca, world, 'system')
    expect(install.changes.map(each => each.store).join()).toContain(family)
    const [copy, take] = install.changes[0]?.commands ?? []
    expect(copy).toEqual({ program: 'install', args: ['-m', '644', ca.file, target], root: true })
    expect(take).toEqual({ program: update, args: adding, root: true })

    // The copy is really made, as root would; a second time there is nothing to do.
    const made = await run(findProgram(copy?.program ?? '') ?? '', copy?.args ?? [], { env: env() })
    expect(made.code).toBe(0)
    expect(readFileSync(target, 'utf8')).toBe(ca.pem)
    expect((await planTrust('install', ca, world, 'system')).changes[0]?.commands).toEqual([])

    // What others put there stays; what an earlier lab left goes too.
    writeFileSync(join(at(folder), `company.${extension}`), 'theirs')
    const earlier = join(at(folder), `oauth-lab-CA-00000000.${extension}`)
    writeFileSync(earlier, 'ours')
    const [remove, forget] =
      (await planTrust('uninstall', undefined, world, 'system')).changes[0]?.commands ?? []
    expect(remove?.args.toSorted()).toEqual(['-f', earlier, target].toSorted())
    expect(forget).toEqual({ program: update, args: removing, root: true })
  })

  it('of an unknown kind is left alone, and said to be', async () => {
    const { world } = computer([])
    const { changes, notes } = await planTrust('install', ca, world, 'system')
    expect(changes).toEqual([])
    expect(notes.join()).toMatch(/an unknown kind/)
  })

  it('needs root, or a way to become it', () => {
    const command = { program: 'update-ca-trust', args: ['extract'], root: true } as const
    const { world: root } = computer([])
    expect(asAllowed(command, root, true)).toEqual({ program: 'update-ca-trust', args: ['extract'] })
    const { world: somebody } = computer(['sudo'], { isRoot: false })
    expect(asAllowed(command, somebody, false)).toEqual({
      program: 'sudo',
      args: ['-n', 'update-ca-trust', 'extract'],
    })
    const { world: nobody } = computer([], { isRoot: false })
    expect(() => asAllowed(command, nobody, true)).toThrow(/only root may change the store of the system/)
  })
})

describe('macOS and Windows', () => {
  it('are changed by their own tools, without root', async () => {
    const { world: mac } = computer([], { platform: 'darwin', home: '/Users/me' })
    const { changes } = await planTrust('install', ca, mac)
    const keychain = '/Users/me/Library/Keychains/login.keychain-db'
    expect(changes.flatMap(each => each.commands)).toEqual([
      {
        program: 'security',
        args: ['add-trusted-cert', '-r', 'trustRoot', '-p', 'ssl', '-k', keychain, ca.file],
      },
    ])
    const { world: windows } = computer([], { platform: 'win32', systemRoot: 'C:\\Windows' })
    const certutil = 'C:\\Windows\\System32\\certutil.exe'
    for (const [action, args] of [
      ['install', ['-addstore', 'Root', ca.file]],
      ['uninstall', ['-delstore', 'Root', ca.sha1]],
    ] as const) {
      const plan = await planTrust(action, ca, windows)
      expect(plan.changes.flatMap(each => each.commands)).toEqual([
        { program: certutil, args: ['-user', ...args] },
      ])
    }
    expect((await planTrust('uninstall', undefined, mac, 'system')).changes).toEqual([])
  })
})

describe('the databases of browsers', () => {
  it('are looked for where browsers have them, and left alone without certutil', async () => {
    const { world, at } = computer(['certutil'])
    for (const folder of ['.mozilla/firefox/x1.default', 'snap/firefox/common/.mozilla/firefox/y2.work']) {
      mkdirSync(at(`alice/${folder}`), { recursive: true })
      writeFileSync(at(`alice/${folder}/cert9.db`), '')
    }
    mkdirSync(at('alice/.mozilla/firefox/Crash Reports'))
    const { changes } = await planTrust('install', ca, world, 'nss')
    const adds = changes.map(({ commands }) => commands.at(-1)?.args[2])
    expect(adds).toEqual(
      ['.pki/nssdb', '.mozilla/firefox/x1.default', 'snap/firefox/common/.mozilla/firefox/y2.work'].map(
        folder => `sql:${at(`alice/${folder}`)}`,
      ),
    )
    expect(changes[0]?.commands.map(each => each.args[0])).toEqual(['-p', '-N', '-A'])
    expect(changes.flatMap(each => each.commands).some(each => each.root)).toBe(false)

    const { world: without } = computer([])
    const { changes: none, notes } = await planTrust('install', ca, without, 'nss')
    expect(none).toEqual([])
    expect(notes.join()).toMatch(/certutil is not installed/)
  })
})

describeWith(['certutil'], 'oauth-lab ca install and uninstall, with certutil', () => {
  const database = () => `sql:${join(home(), '.pki/nssdb')}`
  const list = async () =>
    (await run(findProgram('certutil') ?? '', ['-L', '-d', database()], { env: env() })).stdout

  it('asks before it changes anything, and says what it would do', async () => {
    const refused = await oauthLab('ca', 'install', '--only', 'nss')
    expect([refused.code, refused.stdout]).toEqual([2, ''])
    expect(refused.stderr).toMatch(/no terminal to ask on.*--yes/s)
    const dry = await oauthLab('ca', 'install', '--only', 'nss', '--dry-run')
    expect(dry.code).toBe(0)
    expect(dry.stdout).toMatch(
      /certutil -A -d sql:\S+nssdb -n 'oauth-lab CA [0-9a-f]{8}' -t C,, -i \S+ca\.pem/,
    )
    expect(existsSync(join(home(), '.pki'))).toBe(false)
  })

  it('puts the CA in, once, and takes it and earlier ones out', { timeout: 60_000 }, async () => {
    const install = ['ca', 'install', '--only', 'nss', '--yes']
    const first = await oauthLab(...install)
    expect([first.code, first.stdout], first.stderr).toEqual([0, expect.stringMatching(/^Installed in/)])
    const name = /^oauth-lab CA [0-9a-f]{8}/m
    const [before = ''] = name.exec(await list()) ?? []
    expect(await list()).toMatch(/^oauth-lab CA [0-9a-f]{8}\s+C,,\s*$/m)
    expect((await oauthLab(...install)).stdout).toBe('Nothing had to be changed.\n')

    await oauthLab('ca', 'renew')
    const again = await oauthLab(...install, '--json')
    expect(JSON.parse(again.stdout)).toMatchObject({
      action: 'install',
      changed: [/nssdb/].map(each => expect.stringMatching(each)),
    })
    expect((await list()).match(/^oauth-lab CA /gm)).toHaveLength(2)
    const removed = await oauthLab('ca', 'uninstall', '--only', 'nss', '--yes')
    expect(removed.code, removed.stderr).toBe(0)
    expect(await list()).not.toContain(before)
    expect(await list()).not.toMatch(name)
  })
})
