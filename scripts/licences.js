import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** @returns name, version, licence and folder of each package that modules are of, by name */
export function packagesOf(moduleIds) {
  const found = new Map()
  for (const id of moduleIds) {
    const [, folder] = /^\0?(.*[\\/]node_modules[\\/](?:@[^\\/]+[\\/])?[^\\/]+)[\\/]/.exec(id) ?? []
    if (folder === undefined || found.has(folder)) continue
    const { name, version, license } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
    found.set(folder, { name, version, license, folder })
  }
  return [...found.values()].sort((a, b) => (a.name < b.name ? -1 : 1))
}

const licenceFile = /^(licen[cs]e|notice|copying)/i

/** The licences of packages that are part of the program, in full where the package has them. */
export function thirdPartyNotices(packages) {
  const parts = packages.map(({ name, version, license, folder }) => {
    const texts = readdirSync(folder, { withFileTypes: true })
      .filter(each => each.isFile() && licenceFile.test(each.name))
      .map(each => readFileSync(join(folder, each.name), 'utf8').trim())
    return [`${name} ${version} (${license})`, ...texts].join('\n\n')
  })
  const head = 'oauth-lab contains these packages. Each has its own licence.'
  return `${[head, ...parts].join(`\n\n${'-'.repeat(80)}\n\n`)}\n`
}
