import { expect, it } from 'vitest'
import { factLine, reportCsv, reportMarkdown } from '../../../../src/show/render/room/report.js'
import { exampleRoom, factsFrom, joinAll } from '../../../servers/room/example.js'

const HOSTILE = '=HYPERLINK("http://x") | <b>\u001b[31m'
const verifier = { lesson: '05-pkce', task: 'verifier' }

function board() {
  const room = exampleRoom()
  const [ann, ben] = joinAll(room, ['Ann', HOSTILE])
  const refused = { ...verifier, fact: 'refused', rule: 'invalid_grant RFC 7636 §4.6' } as const
  const answer = { lesson: '05-pkce', fact: 'prediction.answered', answer: 'b' } as const
  room.take(
    ann!.who,
    factsFrom(1, answer, verifier, { ...verifier, fact: 'hint.taken' }, { ...verifier, fact: 'task.done' }),
  )
  room.take(ben!.who, factsFrom(1, { ...answer, answer: 'a' }, verifier, refused, refused))
  return room.board()
}

it('writes a row for each task of each person, which no spreadsheet runs and no terminal obeys', () => {
  const rows = reportCsv(board()).split('\r\n')
  expect(rows[0]).toBe(
    'who,name,joined,left,lesson,task,state,seconds,hints,solution,refused,prediction_before,prediction_after',
  )
  expect(rows).toHaveLength(10)
  expect(rows[3]).toMatch(/^KJ-01,Ann,.*,05-pkce,verifier,done,0,1,false,0,b,$/)
  expect(rows[7]).toMatch(/^KJ-02,"'=HYPERLINK\(""http:\/\/x""\) \| <b>␛\[31m",.*,shown,,0,false,2,a,$/)
})

it('writes people, predictions and what held people as Markdown', () => {
  expect(reportMarkdown(board()).slice(4)).toEqual([
    '## People',
    '',
    '| who | name | 05-pkce |',
    '|---|---|---|',
    '| KJ-01 | Ann | 1 of 2 (1 hint) |',
    '| KJ-02 | =HYPERLINK\\("http://x"\\) \\| \\<b\\>␛\\[31m | 0 of 2 |',
    '',
    '## Predictions',
    '',
    '### 05\\-pkce',
    '',
    'What happens?',
    '',
    '| answer | before | after |',
    '|---|---|---|',
    '| a (right): this | 1 | 0 |',
    '| b: that | 1 | 0 |',
    '',
    '## Held at the end',
    '',
    '| task | rule | people | who |',
    '|---|---|---|---|',
    '| 05-pkce/verifier | invalid\\_grant RFC 7636 §4.6 | 1 | KJ-02 |',
  ])
})

it.each([
  [{ ...verifier, fact: 'task.done' }, 'has done 05-pkce/verifier'],
  [{ fact: 'stuck' }, 'asks for help'],
  [{ ...verifier, fact: 'refused', rule: 'access_denied' }, 'is refused at 05-pkce/verifier: access_denied'],
] as const)('says %j in words', (fact, words) => {
  const at = '2030-01-01T09:12:03Z'
  expect(factLine({ type: 'fact', at, who: 'KJ-01', name: 'D\u001b[0m', ...fact })).toBe(
    `09:12:03  KJ-01  D␛[0m ${words}`,
  )
})
