import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { cleanEnv, runProgram } from '../../support/program.js'
import { sharedFolder } from '../../support/shared.js'
import { read, root } from '../../support/source-files.js'

const home = sharedFolder()
const run = (...words: string[]) => runProgram(['version', ...words], { env: cleanEnv(home.path) })

const { version, dependencies } = JSON.parse(read('package.json')) as {
  version: string
  dependencies: Record<string, string>
}

interface Component {
  readonly 'bom-ref': string
  readonly name: string
  readonly version: string
  readonly licenses: readonly unknown[]
}
const bill = JSON.parse(readFileSync(join(root, 'dist/sbom.cdx.json'), 'utf8')) as {
  readonly components: readonly Component[]
  readonly dependencies: readonly { readonly ref: string; readonly dependsOn: readonly string[] }[]
}

describe('oauth-lab version', () => {
  it('prints the version', async () => {
    expect(await run()).toMatchObject({ code: 0, stdout: `${version}\n` })
    expect(JSON.parse((await run('--json')).stdout)).toEqual({ version })
  })

  it('lists name and version of each bundled package', async () => {
    const { stdout } = await run('--bundled')
    expect(stdout).toMatch(/^ink +6\.8\.0$/m)
    expect(stdout.trimEnd().split('\n')).toHaveLength(bill.components.length + 1)
  })

  it('lists them as JSON', async () => {
    const { bundled } = JSON.parse((await run('--bundled', '--json')).stdout) as { bundled: unknown[] }
    expect(bundled).toContainEqual({ name: 'ink', version: '6.8.0' })
    expect(bundled).toHaveLength(bill.components.length)
  })
})

describe('the bill of materials', () => {
  it('has each package of the notices once, with its licence', () => {
    const notices = readFileSync(join(root, 'dist/THIRD-PARTY-NOTICES.txt'), 'utf8')
    for (const each of bill.components) {
      expect(notices).toContain(`${each.name} ${each.version} (`)
      expect(each.licenses).toHaveLength(1)
    }
    const refs = bill.components.map(each => each['bom-ref'])
    expect(new Set(refs).size).toBe(refs.length)
    expect(bill.dependencies[0]?.dependsOn).toEqual(refs)
  })

  it('has no package that npm installs beside the program', () => {
    const names = bill.components.map(({ name }) => name)
    expect(names.filter(name => name in dependencies)).toEqual([])
  })
})
