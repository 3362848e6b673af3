import type { FuzzRequest } from './requests.js'

/** Returns smaller requests than this one, the smallest first. */
function* smaller(request: FuzzRequest): Generator<FuzzRequest> {
  const { body, headers, target } = request
  if (body.length > 0) yield { ...request, body: Buffer.alloc(0) }
  const [path = '', query] = target.split('?', 2)
  if (query !== undefined) {
    yield { ...request, target: path }
    const members = query.split('&')
    for (const [i] of members.entries()) {
      if (members.length > 1) yield { ...request, target: `${path}?${members.toSpliced(i, 1).join('&')}` }
    }
  }
  for (const [i] of headers.entries()) yield { ...request, headers: headers.toSpliced(i, 1) }
  const pieces = body.toString('latin1').split(/(?<=[&,])/)
  if (pieces.length > 1 && pieces.length < 200) {
    for (const [i] of pieces.entries()) {
      yield { ...request, body: Buffer.from(pieces.toSpliced(i, 1).join(''), 'latin1') }
    }
  }
  for (let size = body.length >> 1; size >= 1; size >>= 1) {
    yield { ...request, body: body.subarray(0, body.length - size) }
  }
}

/** Removes parts of a request as long as it fails. Tries 300 requests at most. */
export async function smallest(
  request: FuzzRequest,
  fails: (request: FuzzRequest) => Promise<boolean>,
): Promise<FuzzRequest> {
  let best = request
  let left = 300
  for (let found = true; found; ) {
    found = false
    for (const each of smaller(best)) {
      if (left-- <= 0) return best
      if (!(await fails(each))) continue
      best = each
      found = true
      break
    }
  }
  return best
}
