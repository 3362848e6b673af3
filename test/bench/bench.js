// npm run bench [-- start-up|speed|memory|screens] [-- --quick]. Without a name: start-up and speed, in less than three
// minutes. Absolute figures move from machine to machine and from minute to minute; ratios of one run are what counts.
import { parseArgs } from 'node:util'
import { measureCompression } from './compression.js'
import { measureMemory } from './memory.js'
import { measureScreens } from './screens.js'
import { measureSpeed } from './speed.js'
import { measureStartUp } from './start-up.js'

const { values, positionals } = parseArgs({ allowPositionals: true, options: { quick: { type: 'boolean' } } })
const { quick = false } = values
const benches = {
  'start-up': () => measureStartUp(quick ? 9 : 31),
  speed: () => measureSpeed(quick ? { rounds: 3, seconds: 0.5 } : { rounds: 9, seconds: 0.7 }),
  screens: () =>
    measureScreens(
      quick
        ? { runs: 5, presses: 20, seconds: 5, flood: 5_000 }
        : { runs: 15, presses: 60, seconds: 15, flood: 50_000 },
    ),
  compression: () => measureCompression(quick ? { rounds: 3, seconds: 0.5 } : { rounds: 9, seconds: 0.7 }),
  memory: () => measureMemory(quick ? 5_000 : 100_000),
}
const wanted = positionals.length === 0 ? ['start-up', 'speed'] : positionals
const unknown = wanted.find(each => !Object.hasOwn(benches, each))
if (unknown !== undefined)
  throw new Error(`unknown bench ${unknown}; there are ${Object.keys(benches).join(', ')}`)

console.log(`Node ${process.versions.node}`)
for (const each of wanted) {
  console.log()
  await benches[each]()
}
