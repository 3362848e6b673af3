import { expect, it } from 'vitest'
import { programInHome } from '../../../commands/support.js'
import { jsonLines } from '../../../support/program.js'

const { oauthLab } = programInHome()

it('prints the cases without a terminal, with --json one a line', async () => {
  const [plain, json, wrong] = await Promise.all([
    oauthLab('compress'),
    oauthLab('compress', '--json'),
    oauthLab('compress', 'gte'),
  ])
  expect(plain.code).toBe(0)
  expect(plain.stdout).toMatch(/^GET \/kb\/200$/m)
  expect(plain.stdout).toMatch(/^ {2}C {2}proxy forces gzip upstream +offer nothing$/m)
  expect(plain.stdout).toMatch(/^ {5}proxy → client {3}gzip +935 B {2}\S+ {2}! not asked for$/m)
  expect(jsonLines(json.stdout)).toMatchObject(
    [...'ABCDE'].map(name => ({ name, path: '/kb/200', status: 200 })),
  )
  expect(wrong).toMatchObject({ code: 2, stdout: '' })
  expect(wrong.stderr).toMatch(/unknown command 'gte'\n +Did you mean get\?/)
})
