"""Programs that compile functions without any array of ours, by topic.

Each is small. It asks Dynamo, or inductor, for a thing that one of our rules is near to.
"""

from . import (
    changes,
    classes,
    control,
    export,
    indexing,
    modules,
    numbers,
    numpys,
    objects,
    subclasses,
    texts,
    transforms,
    writes,
)

TOPICS = (
    changes, classes, control, export, indexing, modules, numbers, numpys, objects, subclasses,
    texts, transforms, writes,
)  # fmt: skip
