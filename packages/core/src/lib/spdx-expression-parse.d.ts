// The types of a package that brings none.
declare module 'spdx-expression-parse' {
  interface LicenceNode {
    license: string;
    plus?: true;
    exception?: string;
  }
  interface JointNode {
    left: Node;
    conjunction: 'and' | 'or';
    right: Node;
  }
  type Node = LicenceNode | JointNode;

  /** Throws where the text is not an SPDX licence expression. */
  function parse(expression: string): Node;
  export = parse;
}
