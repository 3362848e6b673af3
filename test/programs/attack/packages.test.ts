import { expect, it } from 'vitest'
import { read } from '../../support/source-files.js'

interface Package {
  readonly integrity?: string
  readonly resolved?: string
  readonly link?: boolean
  readonly hasInstallScript?: boolean
}

const rigs = ['test/rigs/', 'test/rigs/node/', 'test/rigs/tools/']

it.each(['', ...rigs])(
  '%spackage-lock.json: no package runs a script when it is installed, and each is known by its hash',
  folder => {
    const { packages } = JSON.parse(read(`${folder}package-lock.json`)) as {
      packages: Record<string, Package>
    }
    const { '': own, ...others } = packages
    expect(own).toBeDefined()
    expect(Object.keys(others).length).toBeGreaterThan(3)
    const wrong = Object.entries(others).filter(
      ([, { integrity, resolved, link, hasInstallScript }]) =>
        hasInstallScript ||
        link ||
        !integrity?.startsWith('sha512-') ||
        !(resolved ?? 'https://registry.npmjs.org/').startsWith('https://registry.npmjs.org/'),
    )
    expect(wrong.map(([path]) => path)).toEqual([])
  },
)

// `prepare` too: npm asks whoever installs a packed tarball to review it.
it('this package has no script that runs, or is asked about, when it is installed', () => {
  const { scripts } = JSON.parse(read('package.json')) as { scripts: Record<string, string> }
  const names = ['preinstall', 'install', 'postinstall', 'prepare']
  expect(names.filter(each => each in scripts)).toEqual([])
})

it('the packages of Python for the DNS API are pinned, known by their hashes, and run no script of their own', () => {
  const lines = read('test/rigs/dns/requirements.txt').replaceAll('\\\n', ' ').split('\n')
  const packages = lines.filter(line => line !== '' && !line.startsWith('#'))
  expect(packages.length).toBeGreaterThan(3)
  const known = /^[\w.-]+==[\w.]+(?:\s+--hash=sha256:[0-9a-f]{64})+\s*$/
  expect(packages.filter(line => !known.test(line))).toEqual([])
  expect(read('.ci/dns-clients')).toContain('--require-hashes --only-binary :all:')
})
