"""Writes meshed_tee.inp: a T of 10 mm hexahedra, in millimetres, as Abaqus has it."""

head = [(i, j, k) for i in range(-5, 5) for j in range(0, 2) for k in range(2)]
stem = [(i, j, k) for i in range(-1, 1) for j in range(-10, 0) for k in range(2)]
ring = [(0, 0), (1, 0), (1, 1), (0, 1)]
cells = [
    [(i + a, j + b, k + c) for c in (0, 1) for a, b in ring] for i, j, k in head + stem
]
nodes = sorted({node for cell in cells for node in cell})
number = {node: n for n, node in enumerate(nodes, 1)}

with open("meshed_tee.inp", "w", encoding="ascii") as mesh:
    mesh.write("*HEADING\nA T of hexahedra, made by meshed_tee.py\n*NODE\n")
    for node in nodes:
        mesh.write(f"{number[node]}, {', '.join(str(10 * x) for x in node)}\n")
    mesh.write("*ELEMENT, TYPE=C3D8, ELSET=EB1\n")
    for n, cell in enumerate(cells, 1):
        mesh.write(f"{n}, {', '.join(str(number[node]) for node in cell)}\n")
