const space = /\s/

/** True for a string or template with a space: a sentence for people. Words of the protocols have none. */
function isMessage({ node }) {
  if (node.type === 'StringLiteral') return space.test(node.value)
  if (node.type !== 'TemplateLiteral') return false
  const plain = ({ type }) => type === 'Identifier' || type === 'MemberExpression'
  // Stryker leaves out all that an ignored node contains, so a template that computes something stays.
  if (!node.expressions.every(plain)) return false
  return node.quasis.some(({ value }) => space.test(value.raw))
}

/** Leaves sentences unmutated: tests hold what a program does, not each sentence that it prints. */
export const strykerPlugins = [
  {
    kind: 'Ignore',
    name: 'messages',
    value: { shouldIgnore: path => (isMessage(path) ? 'a sentence for people' : undefined) },
  },
]
