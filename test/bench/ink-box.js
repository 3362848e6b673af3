// One box drawn by Ink, made into one program as the whole of oauth-lab is: what Ink itself needs.
import { copyFileSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { rolldown } from 'rolldown'

const root = join(import.meta.dirname, '../..')

const source = `
import { Box, render, Text, useInput } from 'ink'
import { createElement } from 'react'
const One = () => {
  useInput(input => input === 'Q' && process.exit())
  return createElement(Box, { borderStyle: 'round' }, createElement(Text, null, '? help'))
}
export const main = () => render(createElement(One), { exitOnCtrlC: false, patchConsole: false })
`

/** Builds it below `folder`, which gets its own copy of the launcher. @returns the path of the launcher */
export async function buildInkBox(folder) {
  for (const each of ['bin', 'dist', 'src']) mkdirSync(join(folder, each), { recursive: true })
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'))
  writeFileSync(join(folder, 'package.json'), '{}')
  copyFileSync(join(root, 'bin/oauth-lab.js'), join(folder, 'bin/oauth-lab.js'))
  writeFileSync(join(folder, 'src/box.js'), source)
  const bundle = await rolldown({
    cwd: folder,
    input: { cli: join(folder, 'src/box.js') },
    platform: 'node',
    resolve: { alias: { 'string-width': join(root, 'node_modules/string-width') } },
    transform: { define: { 'process.env.NODE_ENV': '"production"' } },
  })
  await bundle.write({
    dir: join(folder, 'dist'),
    format: 'cjs',
    entryFileNames: '[name].cjs',
    minify: { compress: true, mangle: false },
    comments: false,
  })
  return join(folder, 'bin/oauth-lab.js')
}
