import type { ASTVisitor, GraphQLNamedType, GraphQLOutputType, ValidationContext } from 'graphql'
import { GraphqlRefusal } from './refusal.js'

/** The parts of the library that the rule works with. */
interface TypeTests {
  readonly getNamedType: (type: GraphQLOutputType) => GraphQLNamedType
  readonly getNullableType: (type: GraphQLOutputType) => GraphQLOutputType
  readonly isLeafType: (type: unknown) => boolean
  readonly isListType: (type: unknown) => boolean
}

/** A rule of validation with the service's text: fields exist, objects have selections, scalars have no selection. */
export function knownFields(types: TypeTests): (context: ValidationContext) => ASTVisitor {
  return context => {
    const path: string[][] = []
    return {
      Field: {
        enter({ name: { value: name }, alias, selectionSet }) {
          const own = [alias?.value ?? name]
          path.push(own)
          const refuse = (message: string) => new GraphqlRefusal(400, message, path.flat())
          // An operation that the schema does not have is refused when it runs.
          if (!context.getParentType()) return
          const type = context.getFieldDef()?.type
          if (type === undefined) throw refuse(`unknown field "${name}"`)
          const isLeaf = types.isLeafType(types.getNamedType(type))
          if (isLeaf && selectionSet) throw refuse('scalar fields must have no selections')
          if (!isLeaf && !selectionSet) throw refuse('object field must have selections')
          // The service names the first item of a list.
          if (types.isListType(types.getNullableType(type))) own.push('0')
        },
        leave() {
          path.pop()
        },
      },
    }
  }
}
