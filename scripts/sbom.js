import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** Package URL of a version (https://github.com/package-url/purl-spec). */
const purl = (name, version) => `pkg:npm/${name.replace(/^@/, '%40')}@${version}`

/** A licence as CycloneDX has it: an SPDX identifier, or an expression of several. */
const licence = text => (/[ ()]/.test(text) ? { expression: text } : { license: { id: text } })

/** The patches of a package, `patches/NAME+VERSION.patch`, which the bundle has in it. */
function pedigreeOf({ name, version }, folder) {
  const file = `${name.replace('/', '+')}+${version}.patch`
  if (!readdirSync(folder).includes(file)) return {}
  const content = readFileSync(join(folder, file), 'utf8')
  return { pedigree: { patches: [{ type: 'unofficial', diff: { text: { content } } }] } }
}

/**
 * The bill of materials of the bundle (CycloneDX 1.6): the packages that the files in `dist` contain.
 * @param {{ name: string, version: string, license: string }} program
 * @param {{ name: string, version: string, license: string }[]} packages
 * @param {string} patches folder of the patches
 */
export function billOfMaterials(program, packages, patches) {
  const describe = ({ name, version, license }) => ({
    'bom-ref': purl(name, version),
    name,
    version,
    purl: purl(name, version),
    licenses: [licence(license)],
  })
  return {
    $schema: 'http://cyclonedx.org/schema/bom-1.6.schema.json',
    bomFormat: 'CycloneDX',
    specVersion: '1.6',
    version: 1,
    metadata: { component: { type: 'application', ...describe(program) } },
    components: packages.map(each => ({ type: 'library', ...describe(each), ...pedigreeOf(each, patches) })),
    dependencies: [
      {
        ref: purl(program.name, program.version),
        dependsOn: packages.map(({ name, version }) => purl(name, version)),
      },
    ],
  }
}
