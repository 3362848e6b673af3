import { expect, it } from 'vitest'
import { read } from '../support/source-files.js'

/** True for a range of Node.js versions that begins after 20.18, such as `^20.19.0 || >=22.12.0`. */
const refusesOldest = (range: string) => /\^20\.(19|[2-9]\d)|^>=2[2-9][\d.]*$/.test(range)

// npm leaves out an optional package that refuses the running Node.js: rolldown would lose its binary on 20.18.1, and
// npm ci would fail. rolldown and vite run there.
it.each(['', 'test/rigs/', 'test/rigs/tools/'])(
  '%spackage-lock.json refuses no supported Node.js',
  folder => {
    const { packages } = JSON.parse(read(`${folder}package-lock.json`)) as {
      packages: Record<string, { engines?: { node?: string } }>
    }
    const refusing = Object.entries(packages).filter(([, { engines }]) => refusesOldest(engines?.node ?? ''))
    expect(
      refusing.map(([name]) => name),
      'Pin an older version, or test it on 20.18.1 and remove its "engines" from the lock file.',
    ).toEqual([])
  },
)
