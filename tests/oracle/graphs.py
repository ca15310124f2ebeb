"""Algorithms on graphs that are given as functions from a node to its successors."""


def components(roots, following):
    """The strongly connected components that are reachable from the roots, each after the components to which it leads (Tarjan
    1972), without recursion. Linear in nodes and edges."""
    number, low, on_stack, stack = {}, {}, set(), []

    def begin(node):
        number[node] = low[node] = len(number)
        stack.append(node)
        on_stack.add(node)
        return node, iter(following(node))

    for root in roots:
        work = [begin(root)] if root not in number else []
        while work:
            node, successors = work[-1]
            for successor in successors:
                if successor not in number:
                    work.append(begin(successor))
                    break
                if successor in on_stack:
                    low[node] = min(low[node], number[successor])
            else:
                work.pop()
                if work:
                    low[work[-1][0]] = min(low[work[-1][0]], low[node])
                if low[node] == number[node]:
                    component = []
                    while not component or component[-1] != node:
                        component.append(stack.pop())
                    on_stack.difference_update(component)
                    yield component


def numbered(roots, following):
    """Maps each node to the number of its component."""
    found = enumerate(components(roots, following))
    return {node: number for number, component in found for node in component}
