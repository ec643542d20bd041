import { lastName } from '../model/name-patterns.ts'
import { classKey, type Expression } from '../model/program.ts'
import type { SyntaxNode } from '../model/syntax.ts'
import type { Annotations } from './annotations.ts'
import { type FunctionShape, lowerFunction, type Parameter, readParameters } from './definitions.ts'
import type { Draft, Lowering } from './draft.ts'
import { placeOf } from './lowered.ts'
import { type Part, partOf } from './names.ts'

/** Syntax of classes in languages with static members, modifiers and annotations. */
export interface ClassShape {
  readonly types: string
  /** Defaults to `name`. */
  readonly name?: Part
  /** Defaults to `body`. */
  readonly body?: Part
  readonly annotations: Annotations
  readonly basesOf: (node: SyntaxNode) => readonly string[]
  /** Modifiers of a declaration, such as `static` and `partial`. */
  readonly modifiersOf: (node: SyntaxNode) => readonly string[]
  /** Parameters of the class itself, which are fields. */
  readonly parameters: Part
  /** Another part of the class with calls: the arguments of its base. */
  readonly calls?: Part
  readonly method: FunctionShape
  /** Declared type of a method's result. */
  readonly returns?: Part
  /** Methods that may have annotations, unlike constructors and lambdas. */
  readonly annotated: string
  /** A part of a method before its body: the call of another constructor. */
  readonly before?: Part
  /** Arguments of the constants of an enum, and the fields of it that they fill, in order. */
  readonly constants?: {
    readonly name: Part
    readonly arguments: Part
    readonly fieldsOf: (type: SyntaxNode) => readonly (string | undefined)[]
  }
  /** Reads the default of a parameter, in its declaration or an annotation. */
  readonly presetOf: (parameter: Parameter, draft: Draft) => Expression | undefined
}

/** Lowerings of classes and their members. */
export interface Classes {
  readonly type: Lowering
  readonly method: Lowering
  /** A constant of an enum: `PROD("https://…")` defines `Env.PROD.url`. */
  readonly constant: Lowering
  /** Returns the name of the enclosing class. */
  ownerOf(node: SyntaxNode): string
  /**
   * Binds a member of the enclosing class: `this.name`, or `Owner.name` if it is static, which other
   * files can use. Within the class, its bare name means the same. Outside of classes it is a
   * variable, or a constant that other files can use.
   */
  member(
    name: SyntaxNode,
    declaration: {
      readonly node: SyntaxNode
      readonly value: Expression | undefined
      readonly draft: Draft
      readonly isStatic?: boolean
    },
  ): undefined
}

export function classes(shape: ClassShape): Classes {
  const types = new Set(shape.types.split(' '))
  const annotated = new Set(shape.annotated.split(' '))
  const { annotations, modifiersOf, presetOf } = shape
  const isStaticNode = (node: SyntaxNode) =>
    modifiersOf(node).some((word) => word === 'static' || word === 'const')

  const classAround = (node: SyntaxNode): SyntaxNode | undefined => {
    let at = node.parent
    while (at && !types.has(at.type)) at = at.parent
    return at ?? undefined
  }
  const nameOf = (node: SyntaxNode) => partOf(node, shape.name ?? 'name')?.text ?? ''
  const ownerOf = (node: SyntaxNode) => {
    const owner = classAround(node)
    return owner ? nameOf(owner) : ''
  }

  const member: Classes['member'] = (name, { node, value, draft, isStatic }) => {
    const place = placeOf(name)
    if (draft.here.kind !== 'class') {
      const bound = value && { name: name.text, value, place }
      return bound && (draft.scope === 0 ? draft.export(bound) : draft.bind(bound))
    }
    const isShared = isStatic ?? isStaticNode(node)
    const full = isShared ? `${ownerOf(node)}.${name.text}` : `this.${name.text}`
    draft.member(draft.scope, { name: name.text, full })
    if (!value) return undefined
    const bound = { name: full, value, place }
    return isShared ? draft.export({ ...bound, scope: 0 }) : draft.bind(bound)
  }
  return {
    ownerOf,
    member,
    type(node, draft) {
      const name = nameOf(node)
      annotations.lower(node, { draft })
      draft.declare(name, node)
      const isPart = modifiersOf(node).includes('partial')
      draft.inside(draft.classScope(name, { bases: shape.basesOf(node), isPart }), () => {
        for (const parameter of readParameters(
          partOf(node, shape.parameters),
          shape.method.shapes,
        )) {
          const value = presetOf(parameter, draft) ?? draft.typed(parameter.type ?? null)
          member(parameter.node, { node, value, draft, isStatic: false })
        }
        if (shape.calls !== undefined) draft.statement(partOf(node, shape.calls))
        const body = partOf(node, shape.body ?? 'body')
        if (body) draft.children(body)
      })
      return undefined
    },
    constant(node, draft) {
      const owner = classAround(node)
      const list = shape.constants && partOf(node, shape.constants.arguments)
      const { args, named } = draft.rules.readArguments(list ?? null, draft)
      const fields = (args.length > 0 && owner && shape.constants?.fieldsOf(owner)) || []
      const constant = `${ownerOf(node)}.${partOf(node, shape.constants?.name ?? 'name')?.text}`
      const given = args.map((value, index) => [fields[index], value] as const)
      for (const [field, value] of [...given, ...Object.entries(named)]) {
        if (field === undefined) draft.loose(value, 'other')
        if (field === undefined) continue
        draft.export({ name: `${constant}.${field}`, value, scope: 0 })
        draft.bind({ name: `this.${field}`, value })
      }
      return draft.statement(partOf(node, shape.body ?? 'body'))
    },
    method(node, draft) {
      if (annotated.has(node.type)) {
        const owner = classAround(node)
        const of = owner && annotations.ownerOf(owner, draft)
        annotations.lower(node, { draft, ...(of && { of }) })
        const name = `${ownerOf(node)}.${partOf(node, shape.method.name ?? 'name')?.text}`
        if (isStaticNode(node)) draft.declare(name, node)
        const type = shape.returns === undefined ? '' : (partOf(node, shape.returns)?.text ?? '')
        const method = lastName(name)
        const place = placeOf(node)
        for (const key of annotations.providedBy(node, { name: method, type })) {
          const value = draft.resultOf({ callee: `this.${method}`, place })
          draft.export({ name: classKey(key), value, scope: 0 })
        }
      }
      const before = shape.before === undefined ? null : partOf(node, shape.before)
      return lowerFunction(node, {
        shape: shape.method,
        draft,
        presetOf: (parameter) => presetOf(parameter, draft),
        before: () => draft.statement(before),
      })
    },
  }
}
