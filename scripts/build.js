// npm run build: the program as a few files in dist/. Node spends most of a short command on finding and reading
// files; packages of `devDependencies` that src/ imports become part of them, packages of `dependencies` stay outside.
import { execFileSync } from 'node:child_process'
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { rolldown } from 'rolldown'
import { chunkGroups } from './chunks.js'
import { packContent } from './content.js'
import { labFileTypes } from './lab-file-types.js'
import { packagesOf, thirdPartyNotices } from './licences.js'
import { ownPlaces } from './own-places.js'
import { applyPatches } from './patch.js'
import { billOfMaterials } from './sbom.js'
import { writeTypes } from './types.js'

const root = resolve(import.meta.dirname, '..')
const dist = join(root, 'dist')
const program = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))

applyPatches(root)
const bundle = await rolldown({
  cwd: root,
  input: { cli: 'src/commands/cli.ts', index: 'src/index.ts' },
  platform: 'node',
  // Chunks may export more than the module they are named for; else each would have a second file beside it.
  preserveEntrySignatures: 'allow-extension',
  tsconfig: 'tsconfig.json',
  external: Object.keys(program.dependencies),
  // All of the program measures text in one way.
  resolve: {
    alias: {
      'string-width': join(root, 'node_modules/string-width'),
      tldts: join(root, 'scripts/registrable-domain.js'),
    },
  },
  transform: { define: { 'process.env.NODE_ENV': '"production"' } },
  plugins: [ownPlaces(root)],
  // Commands import by `await` what others of the same chunk import at once.
  checks: { ineffectiveDynamicImport: false },
})
/** The hook of `record`, which Node loads into the programs of other people: one small file that loads no other. */
const hook = await rolldown({
  cwd: root,
  input: { 'record-hook': 'src/client/capture/hook/record-hook.ts' },
  platform: 'node',
  tsconfig: 'tsconfig.json',
})
const { output } = await bundle.write({
  dir: dist,
  // Node reads many small files of this kind in half of the time that it takes for modules.
  format: 'cjs',
  entryFileNames: '[name].cjs',
  chunkFileNames: '[name]-[hash].cjs',
  minify: { compress: true, mangle: false },
  comments: false,
  // Crash reports read the maps. The sources themselves would make them five times as large.
  sourcemap: 'hidden',
  sourcemapExcludeSources: true,
  codeSplitting: { groups: chunkGroups },
  postBanner({ moduleIds }) {
    const names = packagesOf(moduleIds).map(({ name }) => name)
    return names.length === 0 ? '' : `// With ${names.join(', ')}: see THIRD-PARTY-NOTICES.txt`
  },
})
await hook.write({
  dir: dist,
  format: 'cjs',
  entryFileNames: '[name].cjs',
  minify: { compress: true, mangle: false },
  comments: false,
})
const chunks = output.filter(each => each.type === 'chunk')
const packages = packagesOf(chunks.flatMap(({ moduleIds }) => moduleIds))
writeFileSync(join(dist, 'THIRD-PARTY-NOTICES.txt'), thirdPartyNotices(packages))
const bill = billOfMaterials(program, packages, join(root, 'patches'))
writeFileSync(join(dist, 'sbom.cdx.json'), `${JSON.stringify(bill, null, 2)}\n`)

// The library is imported as a module: its names, from the bundle that the program is a part of too.
const names = chunks.find(({ fileName }) => fileName === 'index.cjs')?.exports ?? []
writeFileSync(join(dist, 'index.js'), `export { ${names.join(', ')} } from './index.cjs'\n`)

const written = new Set([
  'THIRD-PARTY-NOTICES.txt',
  'sbom.cdx.json',
  'index.js',
  'record-hook.cjs',
  'types',
  'content',
  ...output.map(({ fileName }) => fileName),
])
for (const name of readdirSync(dist)) {
  if (!written.has(name)) rmSync(join(dist, name), { recursive: true })
}
packContent(root, dist)
const schema = execFileSync(process.execPath, [join(root, 'bin/oauth-lab.js'), 'config', 'schema'])
writeTypes(root, join(dist, 'types'), {
  'lab/schema/lab-file-schema': labFileTypes(JSON.parse(schema.toString())),
})
