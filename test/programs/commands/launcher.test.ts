import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { launcher } from '../../support/program.js'

it.each(['20.18.0', '18.20.4'])('Node %s is told to be too old', version => {
  const pretend = `Object.defineProperty(process.versions,'node',{value:'${version}'})`
  const args = ['--import', `data:text/javascript,${encodeURIComponent(pretend)}`, launcher, '--version']
  const { status, stderr } = spawnSync(process.execPath, args, { encoding: 'utf8', env: {} })
  expect(status).toBe(2)
  expect(stderr).toMatch(`oauth-lab: this is Node ${version}; oauth-lab needs 20.18.1 or later\n`)
})

it('is written in syntax that Node 10 can read, so that Node 10 prints the message too', () => {
  const code = readFileSync(launcher, 'utf8').replace(/^ *\/\/.*$|\/\*\*.*?\*\//gm, '')
  expect(code.match(/\?\?|\?\.|\|\|=|&&=|\bimport\b|\bawait\b|catch \{/g)).toBeNull()
})
