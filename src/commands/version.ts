import { readFileSync } from 'node:fs'
import { UsageError } from '../protocol/errors.js'
import { programVersion } from '../protocol/version.js'
import { option } from '../session/options/option.js'
import { print, printJson } from './output/output.js'
import { command } from './program/command.js'
import { everywhere, type Globals } from './program/globals.js'

/** A package that is part of the program. `npm audit` does not see it. */
interface BundledPackage {
  readonly name: string
  readonly version: string
}

/** The packages of the bill of materials, which the build writes. */
function bundledPackages(): readonly BundledPackage[] {
  const bill = new URL('../../dist/sbom.cdx.json', import.meta.url)
  try {
    const { components } = JSON.parse(readFileSync(bill, 'utf8')) as { components: BundledPackage[] }
    return components.map(({ name, version }) => ({ name, version }))
  } catch (error) {
    throw new UsageError(`the bill of materials cannot be read: ${(error as Error).message}`, [
      'Run:   npm run build',
    ])
  }
}

function printVersion(flags: { readonly bundled?: true }, { json }: Globals): void {
  const version = programVersion()
  const bundled = flags.bundled ? bundledPackages() : undefined
  if (json) {
    printJson({ version, bundled })
  } else if (bundled === undefined) {
    print(version)
  } else {
    const columns = Math.max(...bundled.map(({ name }) => name.length)) + 2
    print(`oauth-lab ${version}`, ...bundled.map(each => `${each.name.padEnd(columns)}${each.version}`))
  }
}

/** `oauth-lab version`. */
export const versionCommand = command('version', {
  description: 'print the version, or the packages that are part of the program',
  options: [...everywhere, option('--bundled', 'name and version of every package in dist/, for audits')],
  help: `
Examples:
  oauth-lab version
  oauth-lab version --bundled
  oauth-lab version --bundled --json | jq -r '.bundled[] | "\\(.name)@\\(.version)"'
`,
  run: async () => printVersion,
})
