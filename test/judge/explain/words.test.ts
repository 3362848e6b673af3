import { expect, it } from 'vitest'
import { quoted, wordsOf } from '../../../src/judge/explain/words.js'

const json = (value: unknown) => JSON.stringify(value)
const element = (name: string, text: string) => `<${name}>${text}</${name}>`
const soap = (fault: string) =>
  `<s:Envelope xmlns:s="x"><s:Body><s:Fault>${fault}</s:Fault></s:Body></s:Envelope>`

it.each(
  Object.entries<[body: string, words: string, status?: number]>({
    'an object': [
      json({ error: { code: 'Invalid', message: 'Token is empty.' } }),
      'Invalid, “Token is empty.”',
    ],
    Google: [
      json({ error: { code: 401, message: 'Bad token', status: 'UNAUTHENTICATED' } }),
      'UNAUTHENTICATED, “Bad token”',
    ],
    GraphQL: [
      json({ data: null, errors: [{ message: 'Bad secret', extensions: { code: 'DENIED' } }] }),
      'DENIED, “Bad secret”',
      200,
    ],
    'a list of sentences': [json({ non_field_errors: ['Incorrect value'] }), '“Incorrect value”'],
    'fields with sentences': [
      json({ message: 'Invalid data', errors: { code: ['The code is required.'] } }),
      '“The code is required.”',
    ],
    FastAPI: [json({ detail: [{ loc: ['body'], msg: 'field required' }] }), '“field required”'],
    'problem+json': [
      json({ type: 'https://x.example/no', title: 'No', status: 403, detail: 'Not this grant' }),
      '“Not this grant”',
    ],
    OData: [
      json({ 'odata.error': { code: 'Bad', message: { value: 'Invalid value' } } }),
      'Bad, “Invalid value”',
    ],
    'an inner result': [
      json({ status: 'error', result: { errors: ['client not active'] } }),
      '“client not active”',
    ],
    'an exception': [json({ Message: 'An error', ExceptionMessage: 'No metadata' }), '“No metadata”', 500],
    'a cause': [
      json({ error: 'Internal Server Error', cause: { message: 'ECONNREFUSED' } }),
      'Internal Server Error, “ECONNREFUSED”',
      500,
    ],
    'a number': [json({ errcode: 40029, errmsg: 'invalid code' }), '40029, “invalid code”', 200],
    'JSON in JSON': [json({ level: 'error', body: json({ error: 'invalid_grant' }) }), 'invalid_grant'],
    'characters before JSON': [`)]}'\n${json({ error: 'invalid_grant' })}`, 'invalid_grant'],
    'a form': ['error=bad_code&error_description=It+is+spent', 'bad_code, “It is spent”', 200],
    XML: [
      element('OAuth', element('error', 'invalid_grant') + element('error_description', 'late')),
      'invalid_grant, “late”',
    ],
    'an error of a store': [
      element('Error', element('Code', 'AccessDenied') + element('Message', 'No')),
      'AccessDenied, “No”',
    ],
    'SOAP 1.1': [
      soap(element('faultcode', 's:Client') + element('faultstring', 'Bad assertion')),
      'Client, “Bad assertion”',
      500,
    ],
    'WS-Trust': [
      soap(
        element('s:Subcode', element('s:Value', 'a:FailedAuthentication')) +
          element('s:Reason', element('s:Text', 'ID3242: no.')),
      ),
      'FailedAuthentication, “ID3242: no.”',
      500,
    ],
    Tomcat: [
      '<h1>HTTP Status 401</h1><p><b>Message</b> Bad credentials</p>',
      '“HTTP Status 401 Message Bad credentials”',
    ],
    GitHub: [
      '<p>Be careful! The redirect_uri is not associated with this application.</p>',
      '“The redirect_uri is not associated with this application.”',
      200,
    ],
    Facebook: ['<div>URL blocked: This redirect failed.</div>', '“URL blocked: This redirect failed.”', 200],
    'a wrong password': ['<span>Wrong email or password</span><form>', '“Wrong email or password”', 200],
  }),
)('%s', (_name, [body, words, status = 400]) => {
  const found = wordsOf({ status, headers: [], body })
  expect(found && quoted(found)).toBe(words)
})

it.each([['{"status":"ok"}'], ['<h1>Sign in</h1><form>'], ['hello']])(
  '%s says nothing about an error',
  body => {
    expect(wordsOf({ status: 200, headers: [], body })).toBeUndefined()
  },
)
