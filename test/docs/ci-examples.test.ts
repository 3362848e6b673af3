import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { parse } from 'yaml'
import { doctorCommand } from '../../src/commands/doctor.js'
import { parserOf } from '../../src/commands/program/command.js'

/** The texts of a document, at any depth. */
function texts(value: unknown): string[] {
  if (typeof value === 'string') return [value]
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(texts) : []
}

it.each(['github', 'gitlab'])('examples/ci/%s.yml runs the doctor with options that it has', name => {
  const [line = ''] = texts(parse(readFileSync(`examples/ci/${name}.yml`, 'utf8'))).filter(each =>
    each.includes('oauth-lab doctor'),
  )
  const [, typed = ''] = /oauth-lab doctor (.*?)(?: <<<| >|$)/.exec(line) ?? []
  const command = parserOf(doctorCommand).exitOverride()
  command.configureOutput({ writeErr: () => {} })
  const { operands, unknown } = command.parseOptions(typed.split(' '))
  expect([operands, unknown]).toEqual([['https://id.example'], []])
  expect(command.opts()).toMatchObject({ profile: 'bcp', baseline: 'known.json', passwordStdin: true })
})
