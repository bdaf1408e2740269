"""The files of one tree, each read through git's objects and checked against its id."""

from proctor.repo.history import object_place
from proctor.repo.objects import read_path


class Files:
    """The files of one tree. `objects` is where a snapshot wrote its objects to."""

    def __init__(self, root: str, tree: str, objects: str | None = None) -> None:
        self._place = object_place(root, objects)
        self._tree = tree

    def read(self, path: str) -> bytes | None:
        """Return a file's content, none where there is no plain file of that name.

        Raises:
            RepositoryError: an object is missing or not what its id says.
        """
        return read_path(self._place, self._tree, path)
